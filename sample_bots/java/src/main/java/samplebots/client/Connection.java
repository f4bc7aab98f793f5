package samplebots.client;

import arena.v1.ClientMessage;
import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import arena.v1.PlayServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.Consumer;

/**
 * A Play call. What comes from the arena is handed on as events; what is written may come from any
 * thread.
 *
 * <p>It uses the call itself and not the generated stub, since only the call tells of the initial
 * metadata, which a bot waits for before it writes.
 */
final class Connection implements AutoCloseable {
  private final ManagedChannel channel;
  private final ClientCall<PlayRequest, PlayResponse> call;
  private boolean writable;

  /** Begins to connect. Events are handed on in order, in a thread that must not wait. */
  Connection(Endpoint endpoint, Consumer<Event> events) {
    channel = endpoint.connect();
    call = channel.newCall(PlayServiceGrpc.getPlayMethod(), CallOptions.DEFAULT);
    call.start(new Listener(events), endpoint.metadata());
    // Frames are put aside as they come, so none has to wait in the network.
    call.request(Integer.MAX_VALUE);
  }

  /** Writes a message, or drops it if the connection is over: whoever reads is told why. */
  synchronized void send(ClientMessage.Builder message) {
    if (writable) {
      call.sendMessage(PlayRequest.newBuilder().addMessages(message).build());
    }
  }

  /** Tells the arena that nothing more comes. */
  synchronized void halfClose() {
    if (writable) {
      writable = false;
      call.halfClose();
    }
  }

  /** Ends the call, if it has not ended, and the connection. */
  @Override
  public synchronized void close() {
    writable = false;
    call.cancel("the connection is given up", null);
    channel.shutdownNow();
  }

  private synchronized void accepted() {
    writable = true;
  }

  /** Hands on what the library tells. */
  private final class Listener extends ClientCall.Listener<PlayResponse> {
    private final Consumer<Event> events;

    Listener(Consumer<Event> events) {
      this.events = events;
    }

    @Override
    public void onHeaders(Metadata headers) {
      accepted();
      events.accept(new Event.Accepted(Connection.this));
    }

    @Override
    public void onMessage(PlayResponse frame) {
      events.accept(new Event.Frame(Connection.this, frame));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      events.accept(new Event.Ended(Connection.this, status));
    }
  }
}
