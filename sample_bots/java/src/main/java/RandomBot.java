import arena.v1.*;
import io.grpc.*;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.*;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.*;

/**
 * The smallest complete bot: it plays any legal action. Copy it to begin your own
 * (docs/bots/java.md).
 */
final class RandomBot extends ClientCall.Listener<PlayResponse> {
  private final Hello.Builder hello = Hello.newBuilder();
  private final Semaphore ended = new Semaphore(0);
  private ClientCall<PlayRequest, PlayResponse> call;
  private Goodbye goodbye;
  private long pauseMs = 100;

  private int choose(Decision decision) {
    return ThreadLocalRandom.current().nextInt(decision.getLegalActionsCount());
  }

  /** What the bot expects: that the match ends as it stands. Nobody is sent it before the end. */
  private void expect(Decision decision, Evaluation.Builder expected) {
    for (var seat : decision.getView().getCaravan().getSeatsList()) {
      expected.addFinalScores(seat.getScore());
    }
    expected.setLine("as it stands");
  }

  public static void main(String[] args) throws InterruptedException {
    try {
      new RandomBot().play(channelsTo(setting("ARENA_ADDRESS")));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("The settings lead to no arena: " + e.getMessage());
      System.exit(2);
    }
  }

  private static String setting(String name) {
    return System.getenv().getOrDefault(name, "");
  }

  private static NettyChannelBuilder channelsTo(String address) throws IOException {
    if (address.isEmpty()) {
      throw new IllegalArgumentException("ARENA_ADDRESS is not set");
    }
    if (address.startsWith("unix:")) {
      var socket = UnixDomainSocketAddress.of(address.replaceFirst("^unix:(//)?", ""));
      return NettyChannelBuilder.forAddress(socket, InsecureChannelCredentials.create())
          .overrideAuthority("localhost")
          .withOption(ChannelOption.SO_KEEPALIVE, null) // such a socket has none
          .eventLoopGroup(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
          .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class);
    }
    String authorities = setting("ARENA_TLS_CA");
    ChannelCredentials credentials = InsecureChannelCredentials.create();
    if (!authorities.isEmpty()) {
      credentials = TlsChannelCredentials.newBuilder().trustManager(new File(authorities)).build();
    } else if (setting("ARENA_TLS").equals("1")) {
      credentials = TlsChannelCredentials.create();
    }
    return NettyChannelBuilder.forTarget(address, credentials);
  }

  private void play(NettyChannelBuilder channels) throws InterruptedException {
    String software = "grpc-java " + Grpc.class.getPackage().getImplementationVersion();
    hello.setLowestProtocol(1).setHighestProtocol(1).setBotVersion("1").setClaim(true);
    hello.setLanguage("java").setSoftware(software).addGamesBuilder().setGame("caravan");
    hello.getCapacityBuilder().setMatches(4).setOpenDecisions(1);
    Metadata headers = new Metadata();
    String token = setting("ARENA_TOKEN");
    if (!token.matches("[ -~]*")) { // the library would print it
      throw new IllegalArgumentException("ARENA_TOKEN holds characters that cannot be sent");
    }
    if (!token.isEmpty()) {
      var authorization = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
      headers.put(authorization, "Bearer " + token);
    }
    while (true) {
      ManagedChannel channel = channels.disableRetry().build();
      call = channel.newCall(PlayServiceGrpc.getPlayMethod(), CallOptions.DEFAULT);
      call.start(this, headers);
      call.request(Integer.MAX_VALUE);
      ended.acquire();
      channel.shutdownNow();
      Thread.sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, 10_000);
      goodbye = null;
    }
  }

  @Override
  public void onHeaders(Metadata headers) { // before them nothing may be written
    ClientMessage.Builder first = ClientMessage.newBuilder().setHello(hello);
    call.sendMessage(PlayRequest.newBuilder().addMessages(first).build());
  }

  @Override
  public void onMessage(PlayResponse frame) {
    PlayRequest.Builder replies = PlayRequest.newBuilder();
    for (ServerMessage message : frame.getMessagesList()) {
      switch (message.getKindCase()) {
        case WELCOME -> {
          hello.setResumeToken(message.getWelcome().getResumeToken()); // this unsets claim
          pauseMs = 100;
        }
        case PING -> replies.addMessagesBuilder().getPongBuilder().setId(message.getPing().getId());
        case ASSIGNED -> {
          int assignment = message.getAssigned().getAssignment();
          replies.addMessagesBuilder().getReadyBuilder().setAssignment(assignment);
        }
        case DECISION -> {
          Decision decision = message.getDecision();
          Answer.Builder answer = replies.addMessagesBuilder().getAnswerBuilder();
          answer.setAssignment(decision.getAssignment()).setDecision(decision.getDecision());
          answer.setIndex(choose(decision));
          expect(decision, answer.getEvaluationBuilder());
        }
        case WARNING -> System.err.println(message.getWarning().getSentence());
        case GOODBYE -> goodbye = message.getGoodbye();
        default -> {} // news of a match, or a kind that only a newer arena knows
      }
    }
    if (replies.getMessagesCount() > 0) {
      call.sendMessage(replies.build());
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.getCode() == Status.Code.CANCELLED && status.getCause() != null) {
      status.getCause().printStackTrace(); // thrown in this class, most likely by choose
      System.exit(1);
    }
    if (goodbye == null) {
      System.err.println("No connection to the arena: " + status.asException().getMessage());
    } else {
      System.err.println(goodbye.getSentence());
      if (!goodbye.getComeBack()) {
        System.exit(goodbye.getCode() == Goodbye.Code.CODE_DONE ? 0 : 3);
      }
      pauseMs = Math.max(pauseMs, goodbye.getComeBackAfterMs());
    }
    ended.release();
  }
}
