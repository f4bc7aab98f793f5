package samplebots.client;

import arena.v1.Action;
import arena.v1.Decision;

/** What makes the choices. */
public interface Bot {
  /** Returns the id of the game it plays, for example "caravan". */
  String game();

  /**
   * Returns what to do. It is called in a thread of its own, for one decision at a time, while the
   * connection goes on being served.
   */
  Action choose(Decision decision);
}
