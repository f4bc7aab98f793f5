package samplebots.client;

import arena.v1.Goodbye;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a connection has ended, with a sentence for the person who started the bot. */
sealed interface End {
  /** What another attempt would only meet again. */
  Set<Status.Code> REFUSALS =
      EnumSet.of(
          Status.Code.UNAUTHENTICATED,
          Status.Code.PERMISSION_DENIED,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.UNIMPLEMENTED);

  /** Returns what has happened. */
  String sentence();

  /** The program ends. */
  record ForGood(ExitCode code, String sentence) implements End {}

  /** Another connection makes sense, at the earliest after the given time. */
  record ForNow(long comeBackAfterMs, String sentence) implements End {}

  /** Returns what follows from the arena's last word. */
  static End by(Goodbye goodbye) {
    String sentence = "The arena says goodbye: " + goodbye.getSentence();
    if (goodbye.getCode() == Goodbye.Code.CODE_REPLACED) {
      return new ForGood(ExitCode.REFUSED, sentence);
    }
    if (goodbye.getCode() == Goodbye.Code.CODE_DONE) {
      return new ForGood(ExitCode.DONE, sentence);
    }
    if (goodbye.getComeBack()) {
      return new ForNow(Integer.toUnsignedLong(goodbye.getComeBackAfterMs()), sentence);
    }
    boolean shutsDown = goodbye.getCode() == Goodbye.Code.CODE_SHUTTING_DOWN;
    return new ForGood(shutsDown ? ExitCode.DONE : ExitCode.REFUSED, sentence);
  }

  /** Returns what follows from the end of a call without a goodbye. */
  static End by(Status status, String address) {
    if (status.isOk()) {
      return new ForNow(0, "The arena has ended the connection without a goodbye.");
    }
    String reason = reason(status);
    if (REFUSALS.contains(status.getCode())) {
      String sentence = String.format("The arena at %s refuses this bot (%s).", address, reason);
      return new ForGood(ExitCode.REFUSED, sentence);
    }
    return new ForNow(0, String.format("No connection to the arena at %s (%s).", address, reason));
  }

  /** What the library knows: the code, what it says about it, and where that came from. */
  private static String reason(Status status) {
    Optional<String> cause = Optional.ofNullable(status.getCause()).map(Throwable::getMessage);
    return Stream.of(status.getCode().name(), status.getDescription(), cause.orElse(null))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(": "));
  }
}
