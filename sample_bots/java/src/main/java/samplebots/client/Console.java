package samplebots.client;

/** What the bot tells the person who started it. */
public final class Console {
  private static final String PROGRAM = "greedy";

  private Console() {}

  /** Prints a line to standard error, the program's name first, made as by {@link String#format}. */
  public static void say(String format, Object... values) {
    System.err.println(PROGRAM + ": " + String.format(format, values));
  }
}
