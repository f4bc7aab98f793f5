package samplebots.client;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps a session alive over its connections until there is a reason to end the program. */
public final class Client {
  /**
   * A bot that is to leave gives up its running matches after so many attempts to come back to
   * them.
   */
  private static final int LEAVING_ATTEMPTS = 5;

  private final Endpoint endpoint;
  private final Session session;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** Connects to nothing yet. */
  public Client(Endpoint endpoint, Bot bot) {
    this.endpoint = endpoint;
    this.session = new Session(bot);
  }

  /**
   * Asks the client, from any thread, to take no more matches and to leave when the running ones
   * are over.
   */
  public void leave() {
    events.add(new Event.Leave());
  }

  /** Plays until the arena says goodbye for good, or the bot has left. */
  public ExitCode play() throws InterruptedException {
    Backoff backoff = new Backoff();
    while (!hasLeft(backoff.attempts())) {
      End end = new Visit(endpoint, session, events).run();
      if (end instanceof End.ForGood forGood) {
        Console.say("%s", end.sentence());
        return forGood.code();
      }
      if (session.isWelcomed()) {
        backoff.reset();
      }
      session.detach();
      pause((End.ForNow) end, backoff.next());
    }
    return ExitCode.DONE;
  }

  private boolean hasLeft(int attempts) {
    return session.isLeaving() && (session.isIdle() || attempts >= LEAVING_ATTEMPTS);
  }

  /**
   * Waits, for at least as long as the arena asked for, but not if there is nothing to come back
   * to.
   */
  private void pause(End.ForNow end, long backoffMs) throws InterruptedException {
    long pauseMs = Math.max(backoffMs, end.comeBackAfterMs());
    Console.say("%s Trying again in %.1f s.", end.sentence(), pauseMs / 1000.0);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
    while (!hasLeft(0)) {
      Event event = events.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (event == null) {
        return;
      }
      if (event instanceof Event.Leave) {
        session.leave();
      }
    }
  }
}
