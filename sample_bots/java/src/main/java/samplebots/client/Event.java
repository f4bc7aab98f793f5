package samplebots.client;

import arena.v1.PlayResponse;
import io.grpc.Status;

/** What the client's thread waits for. */
sealed interface Event {
  /** Something that happened on a connection, perhaps on one that is over. */
  sealed interface OfConnection extends Event {
    /** Returns the connection on which it happened. */
    Connection connection();
  }

  /** The arena has taken the call: now something may be written. */
  record Accepted(Connection connection) implements OfConnection {}

  /** The arena has sent a frame. */
  record Frame(Connection connection, PlayResponse content) implements OfConnection {}

  /** The call has ended. */
  record Ended(Connection connection, Status status) implements OfConnection {}

  /** The bot is to leave. */
  record Leave() implements Event {}
}
