package samplebots.client;

import arena.v1.Goodbye;
import arena.v1.PlayResponse;
import arena.v1.ServerMessage;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** One connection of the session, from the first attempt to connect to its end. */
final class Visit {
  /**
   * The arena pings every 15 s: after such a silence the connection is dead, whatever the library
   * thinks.
   */
  private static final long SILENCE_S = 40;

  /**
   * How long to wait for the goodbye after half-closing, and for the end of the call after the
   * goodbye.
   */
  private static final long GOODBYE_WITHIN_S = 10;

  private final Endpoint endpoint;
  private final Session session;
  private final BlockingQueue<Event> events;
  private boolean accepted;
  private boolean halfClosed;

  /** What the arena's goodbye means; empty before it. */
  private Optional<End> goodbye = Optional.empty();

  Visit(Endpoint endpoint, Session session, BlockingQueue<Event> events) {
    this.endpoint = endpoint;
    this.session = session;
    this.events = events;
  }

  /** Serves a new connection to its end. */
  End run() throws InterruptedException {
    try (Connection connection = new Connection(endpoint, events::add)) {
      Optional<End> end = Optional.empty();
      while (end.isEmpty()) {
        boolean endIsNear = halfClosed || goodbye.isPresent();
        Event event = events.poll(endIsNear ? GOODBYE_WITHIN_S : SILENCE_S, TimeUnit.SECONDS);
        end = event == null ? Optional.of(afterSilence()) : handle(event, connection);
      }
      return end.get();
    }
  }

  private Optional<End> handle(Event event, Connection connection) {
    if (event instanceof Event.Leave) {
      session.leave();
    } else if (event instanceof Event.OfConnection news && news.connection() == connection) {
      if (news instanceof Event.Ended ended) {
        return Optional.of(afterEnd(ended.status()));
      } else if (news instanceof Event.Frame frame) {
        handle(frame.content());
      } else {
        accepted = true;
        session.attach(connection);
      }
    }
    return leave(connection);
  }

  /** Each message in order; after a goodbye none counts. */
  private void handle(PlayResponse frame) {
    for (ServerMessage message : frame.getMessagesList()) {
      if (message.hasGoodbye()) {
        if (message.getGoodbye().getCode() == Goodbye.Code.CODE_RESUME_INVALID) {
          session.forget();
        } else if (message.getGoodbye().getCode() == Goodbye.Code.CODE_SHUTTING_DOWN) {
          session.dropMatches(); // What has not ended is void.
        }
        goodbye = Optional.of(End.by(message.getGoodbye()));
        return;
      }
      session.handle(message);
    }
  }

  /** Half-closes once the bot is to leave and nothing is running. */
  private Optional<End> leave(Connection connection) {
    if (!session.isLeaving() || !session.isIdle()) {
      return Optional.empty();
    }
    if (!accepted) {
      return Optional.of(new End.ForGood(ExitCode.DONE, "The bot has left."));
    }
    if (session.isWelcomed()) {
      halfClosed = true;
      connection.halfClose();
    }
    return Optional.empty();
  }

  private End afterSilence() {
    if (halfClosed) {
      return new End.ForGood(ExitCode.DONE, "The arena has not said goodbye in time.");
    }
    String sentence = String.format("Nothing was heard for %d s.", SILENCE_S);
    return goodbye.orElse(new End.ForNow(0, sentence));
  }

  private End afterEnd(Status status) {
    if (goodbye.isPresent()) {
      return goodbye.get();
    }
    if (halfClosed && session.isIdle()) {
      return new End.ForGood(ExitCode.DONE, "The arena has ended the connection.");
    }
    return End.by(status, endpoint.address());
  }
}
