package samplebots.greedy;

import arena.games.caravan.v1.Action;
import java.util.List;
import java.util.Optional;

/**
 * A good to be brought to its city along one path.
 *
 * @param good the number of the good, from 1
 * @param path the squares from the good to its city, both included
 * @param value the points it brings
 * @param take how the good comes onto an own camel on the first square; empty if it is on one
 * @param isProtected whether the good is protected once it is on the own camel
 */
record Job(int good, List<Integer> path, int value, Optional<Action> take, boolean isProtected) {
  /** Returns the place of the city in the path. */
  int last() {
    return path.size() - 1;
  }

  /** Returns whether another seat has the good. */
  boolean steals() {
    return take.isPresent() && take.get().hasSteal();
  }
}
