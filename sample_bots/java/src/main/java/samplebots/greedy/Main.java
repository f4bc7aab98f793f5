package samplebots.greedy;

import java.util.concurrent.atomic.AtomicBoolean;
import samplebots.client.Client;
import samplebots.client.Console;
import samplebots.client.Endpoint;
import samplebots.client.ExitCode;
import samplebots.client.SettingsException;
import sun.misc.Signal;

/** The program of the greedy bot. */
public final class Main {
  private Main() {}

  /** Plays until the arena or a signal ends it; the environment says where the arena is. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(play().number());
  }

  private static ExitCode play() throws InterruptedException {
    try {
      Client client = new Client(Endpoint.from(System.getenv()), new Greedy());
      leaveOnSignals(client);
      return client.play();
    } catch (SettingsException e) {
      Console.say("%s", e.getMessage());
      return ExitCode.USAGE;
    }
  }

  /** The first signal lets the bot finish its matches, a second one ends the program at once. */
  private static void leaveOnSignals(Client client) {
    // Java has no better way to catch a signal. A shutdown hook hears of the first one only.
    AtomicBoolean asked = new AtomicBoolean();
    for (String name : new String[] {"INT", "TERM"}) {
      Signal.handle(
          new Signal(name),
          signal -> {
            if (asked.getAndSet(true)) {
              Runtime.getRuntime().halt(128 + signal.getNumber());
            }
            client.leave();
          });
    }
  }
}
