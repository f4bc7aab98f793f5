package samplebots.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Encrypted connections: whom to trust, and how to show who one is. All files are PEM. */
final class Tls {
  private Tls() {}

  /**
   * Returns what ARENA_TLS=1, ARENA_TLS_CA, ARENA_TLS_CERT and ARENA_TLS_KEY say; plain text if
   * they say nothing.
   *
   * @throws SettingsException a file cannot be read, or there is a certificate without its key or a
   *     key alone
   */
  static ChannelCredentials credentials(Map<String, String> environment) throws SettingsException {
    Optional<InputStream> authorities = read(environment, "ARENA_TLS_CA");
    Optional<InputStream> certificate = read(environment, "ARENA_TLS_CERT");
    Optional<InputStream> key = read(environment, "ARENA_TLS_KEY");
    if (certificate.isPresent() != key.isPresent()) {
      throw new SettingsException(
          "ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither.");
    }
    boolean encrypted = "1".equals(environment.get("ARENA_TLS"));
    if (!encrypted && authorities.isEmpty() && certificate.isEmpty()) {
      return InsecureChannelCredentials.create();
    }
    try {
      TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
      if (authorities.isPresent()) {
        tls.trustManager(authorities.get());
      }
      if (certificate.isPresent()) {
        tls.keyManager(certificate.get(), key.get());
      }
      return tls.build();
    } catch (IOException e) {
      throw new AssertionError("bytes in memory can be read", e);
    }
  }

  private static Optional<InputStream> read(Map<String, String> environment, String variable)
      throws SettingsException {
    String path = environment.getOrDefault(variable, "");
    if (path.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ByteArrayInputStream(Files.readAllBytes(Path.of(path))));
    } catch (IOException e) {
      throw new SettingsException(
          String.format(
              "%s names %s, which cannot be read: is there such a file?", variable, path));
    }
  }
}
