package samplebots.client;

/** The pauses between attempts to come back: 0.1 s, doubling up to 10 s. */
final class Backoff {
  private static final long FIRST_MS = 100;
  private static final long LONGEST_MS = 10_000;

  private int attempts;
  private long pauseMs = FIRST_MS;

  /** Returns how many attempts there were since the last success. */
  int attempts() {
    return attempts;
  }

  /** An attempt was a success: the next pause is the first one again. */
  void reset() {
    attempts = 0;
    pauseMs = FIRST_MS;
  }

  /** Counts an attempt, and returns the pause after it in milliseconds. */
  long next() {
    long pause = pauseMs;
    attempts++;
    pauseMs = Math.min(2 * pauseMs, LONGEST_MS);
    return pause;
  }
}
