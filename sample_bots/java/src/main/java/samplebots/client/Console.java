package samplebots.client;

/** What the bot tells the person who started it. */
public final class Console {
  private Console() {}

  /** Prints a line to standard error, made as by {@link String#format}. */
  public static void say(String format, Object... values) {
    System.err.println(String.format(format, values));
  }
}
