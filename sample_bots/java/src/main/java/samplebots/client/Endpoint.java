package samplebots.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Where the arena is, how the way to it is encrypted, and who the bot is. */
public final class Endpoint {
  private static final String UNIX_SOCKET = "unix:";
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final String address;
  private final String token;
  private final NettyChannelBuilder channels;

  private Endpoint(String address, String token, NettyChannelBuilder channels) {
    this.address = address;
    this.token = token;
    this.channels = channels;
  }

  /**
   * Returns what ARENA_ADDRESS, ARENA_TOKEN and, unless it is a Unix socket, the variables
   * ARENA_TLS... say.
   *
   * @throws SettingsException there is no address, the token cannot be sent, or a file cannot be read
   */
  public static Endpoint from(Map<String, String> environment) throws SettingsException {
    String address = environment.getOrDefault("ARENA_ADDRESS", "");
    if (address.isEmpty()) {
      throw new SettingsException(
          "ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.");
    }
    String token = environment.getOrDefault("ARENA_TOKEN", "");
    if (token.chars().anyMatch(letter -> letter < ' ' || letter > '~')) {
      throw new SettingsException("ARENA_TOKEN holds characters that cannot be sent.");
    }
    return new Endpoint(address, token, channelsTo(address, environment));
  }

  /** Returns the address as the environment gave it. */
  String address() {
    return address;
  }

  /** Returns a new channel, which connects when it is first used. */
  ManagedChannel connect() {
    return channels.build();
  }

  /** Returns what shows the arena who calls: the token, or nothing where the socket says it. */
  Metadata metadata() {
    Metadata metadata = new Metadata();
    if (!token.isEmpty()) {
      metadata.put(AUTHORIZATION, "Bearer " + token);
    }
    return metadata;
  }

  private static NettyChannelBuilder channelsTo(String address, Map<String, String> environment)
      throws SettingsException {
    NettyChannelBuilder channels =
        address.startsWith(UNIX_SOCKET)
            ? overSocket(address)
            : overNetwork(address, Tls.credentials(environment));
    return channels
        .eventLoopGroup(
            new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("network", true), NioIoHandler.newFactory()))
        .directExecutor() // What is done with an event is to put it into a queue.
        .disableRetry() // Coming back takes the resume token, so the library must not repeat a
        // call.
        .keepAliveTime(30, TimeUnit.SECONDS)
        .keepAliveTimeout(60, TimeUnit.SECONDS);
  }

  /**
   * A Unix socket in plain Java: no native code, so it works wherever Java 17 knows such sockets.
   */
  private static NettyChannelBuilder overSocket(String address) {
    String path = address.substring(UNIX_SOCKET.length()).replaceFirst("^//", "");
    return NettyChannelBuilder.forAddress(
            UnixDomainSocketAddress.of(path), InsecureChannelCredentials.create())
        .overrideAuthority("localhost")
        .withOption(ChannelOption.SO_KEEPALIVE, null) // Such a socket has none.
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class);
  }

  private static NettyChannelBuilder overNetwork(String address, ChannelCredentials credentials)
      throws SettingsException {
    try {
      NettyChannelBuilder channels = NettyChannelBuilder.forTarget(address, credentials);
      return channels.channelType(NioSocketChannel.class);
    } catch (IllegalArgumentException e) {
      throw new SettingsException("The certificates cannot be used: " + e.getMessage() + ".");
    }
  }
}
