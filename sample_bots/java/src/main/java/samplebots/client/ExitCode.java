package samplebots.client;

/** How the program ends; 1 is left to an exception that nobody has caught. */
public enum ExitCode {
  /** The bot has left in good order, or the arena has shut down. */
  DONE(0),
  /** The environment does not say where the arena is. */
  USAGE(2),
  /** The arena does not want this bot like this; to start it again would not help. */
  REFUSED(3);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** Returns what the program gives to its caller. */
  public int number() {
    return number;
  }
}
