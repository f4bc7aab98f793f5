package samplebots.client;

/**
 * The environment does not say enough, or something wrong; the message is a sentence with what to
 * do.
 */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1;

  SettingsException(String sentence) {
    super(sentence);
  }
}
