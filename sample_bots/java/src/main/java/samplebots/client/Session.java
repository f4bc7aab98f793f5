package samplebots.client;

import arena.v1.Answer;
import arena.v1.Assigned;
import arena.v1.Capacity;
import arena.v1.ClientMessage;
import arena.v1.Decision;
import arena.v1.GameSupport;
import arena.v1.Hello;
import arena.v1.Pong;
import arena.v1.Ready;
import arena.v1.ServerMessage;
import arena.v1.Welcome;
import io.grpc.ManagedChannel;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One presence of the bot at the arena, over one or more connections: what each message of the
 * arena does.
 *
 * <p>All methods belong to the client's thread and never wait; the bot thinks in a thread of its
 * own.
 */
final class Session {
  private static final int PROTOCOL = 1;
  private static final String BOT_VERSION = "1";
  private static final int MATCHES = 4;

  private final Bot bot;
  private final ExecutorService thinking = Executors.newSingleThreadExecutor(Session::daemon);

  /** The assignments that are not over. */
  private final Set<Integer> running = new HashSet<>();

  /** How many assignments the arena has still to tell anew after a comeback. */
  private int toBeTold;

  private String resumeToken = "";
  private boolean leaving;
  private Connection connection;
  private boolean welcomed;

  /** The session begins with the first welcome. */
  Session(Bot bot) {
    this.bot = bot;
  }

  /**
   * Says hello on a connection that the arena has taken; nothing else is said before the welcome.
   */
  void attach(Connection connection) {
    this.connection = connection;
    welcomed = false;
    connection.send(ClientMessage.newBuilder().setHello(hello()));
  }

  /** There is no connection any more. */
  void detach() {
    connection = null;
    welcomed = false;
  }

  /** The arena is asked for no more matches. */
  void leave() {
    leaving = true;
    say(ClientMessage.newBuilder().setCapacity(capacity()));
  }

  /** Returns whether the bot is to leave. */
  boolean isLeaving() {
    return leaving;
  }

  /** Returns whether no match is running. */
  boolean isIdle() {
    return running.isEmpty() && toBeTold == 0;
  }

  /** Returns whether the arena has said welcome on the connection there is. */
  boolean isWelcomed() {
    return welcomed;
  }

  /** The next hello asks for nothing of this session. */
  void forget() {
    resumeToken = "";
    dropMatches();
  }

  /** No match is running any more. */
  void dropMatches() {
    running.clear();
    toBeTold = 0;
  }

  /** Does what the message asks for. Kinds that this program does not know are ignored. */
  void handle(ServerMessage message) {
    switch (message.getKindCase()) {
      case WELCOME -> welcome(message.getWelcome());
      case PING ->
          say(
              ClientMessage.newBuilder()
                  .setPong(Pong.newBuilder().setId(message.getPing().getId())));
      case ASSIGNED -> assigned(message.getAssigned());
      case DECISION -> think(message.getDecision());
      case DECISION_CLOSED -> Console.say("%s", message.getDecisionClosed().getSentence());
      case ANSWER_IGNORED -> Console.say("%s", message.getAnswerIgnored().getSentence());
      case WARNING -> Console.say("%s", message.getWarning().getSentence());
      case SEAT_ENDED -> {
        Console.say("A seat has ended: %s", message.getSeatEnded().getEnding().getSentence());
        running.remove(message.getSeatEnded().getAssignment());
      }
      case WITHDRAWN -> {
        Console.say("%s", message.getWithdrawn().getSentence());
        running.remove(message.getWithdrawn().getAssignment());
      }
      case MATCH_ENDED -> running.remove(message.getMatchEnded().getAssignment());
      case DRAINING ->
          Console.say("The arena shuts down within %d ms.", message.getDraining().getWithinMs());
      default -> {
        // A match has started, or the message is from a newer arena: nothing to do.
      }
    }
  }

  /** Whatever goes on is told anew behind a welcome, and what is not told is over. */
  private void welcome(Welcome welcome) {
    if (!running.isEmpty() && !welcome.getResumed()) {
      Console.say(
          "The arena does not know this session any more; its matches are void and cost nothing.");
    }
    welcomed = true;
    resumeToken = welcome.getResumeToken();
    running.clear();
    toBeTold = welcome.getAssignments();
    if (leaving) {
      leave();
    }
    Console.say("%s plays in session %s.", welcome.getBotVersion(), welcome.getSession());
  }

  private void assigned(Assigned assigned) {
    toBeTold = Math.max(0, toBeTold - 1);
    running.add(assigned.getAssignment());
    say(
        ClientMessage.newBuilder()
            .setReady(Ready.newBuilder().setAssignment(assigned.getAssignment())));
  }

  /**
   * An answer belongs to the connection on which it was asked for: after a comeback the arena asks
   * again.
   */
  private void think(Decision decision) {
    Connection asking = connection;
    thinking.execute(() -> asking.send(ClientMessage.newBuilder().setAnswer(answer(decision))));
  }

  private Answer.Builder answer(Decision decision) {
    Answer.Builder answer =
        Answer.newBuilder()
            .setAssignment(decision.getAssignment())
            .setDecision(decision.getDecision());
    try {
      answer.setAction(bot.choose(decision));
    } catch (RuntimeException e) {
      // An answer without a choice gives the strike at once, where silence would also cost the
      // bank.
      Console.say("The bot has failed to choose: %s", e);
    }
    return answer;
  }

  private void say(ClientMessage.Builder message) {
    if (welcomed) {
      connection.send(message);
    }
  }

  private Capacity capacity() {
    return Capacity.newBuilder().setMatches(leaving ? 0 : MATCHES).setOpenDecisions(1).build();
  }

  private Hello hello() {
    Hello.Builder hello =
        Hello.newBuilder()
            .setLowestProtocol(PROTOCOL)
            .setHighestProtocol(PROTOCOL)
            .setBotVersion(BOT_VERSION)
            .addGames(GameSupport.newBuilder().setGame(bot.game()))
            .setCapacity(capacity())
            .setLanguage("java")
            .setSoftware(software());
    if (resumeToken.isEmpty()) {
      hello.setClaim(
          true); // A program that was started again takes over what its predecessor has lost.
    } else {
      hello.setResumeToken(resumeToken);
    }
    return hello.build();
  }

  private static String software() {
    String version = ManagedChannel.class.getPackage().getImplementationVersion();
    return Optional.ofNullable(version).map("grpc-java "::concat).orElse("grpc-java");
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "thinking");
    thread.setDaemon(true);
    return thread;
  }
}
