package samplebots.greedy;

import arena.games.caravan.v1.Action;
import arena.games.caravan.v1.Move;
import arena.games.caravan.v1.MoveGood;
import arena.games.caravan.v1.Place;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a job still needs: its cost in action points, and the next action towards it. */
final class Plan {
  private final Table table;
  private final Job job;
  private final List<Integer> path;
  private final int reach;
  private final int cost;

  /** Works out how far the good can be brought with the camels there are. */
  Plan(Table table, Job job) {
    this.table = table;
    this.job = job;
    path = job.path();
    reach = computeReach();
    cost = computeCost();
  }

  /** Returns the action points that the whole job still takes. */
  int cost() {
    return cost;
  }

  /** Returns whether this plan brings more points per action point than another. */
  boolean paysMoreThan(Plan other) {
    return job.value() * other.cost > other.job.value() * cost;
  }

  /** Returns the first action that the points left can pay. */
  Optional<Action> nextAction() {
    int start = path.get(0);
    if (job.take().isPresent()) {
      return takerIsThere() ? job.take() : bringCamel(start);
    }
    List<Integer> missing = missing(reach);
    if (missing.isEmpty()) {
      return Optional.of(moveGood(start, path.get(reach)));
    }
    return missing.stream().map(this::bringCamel).flatMap(Optional::stream).findFirst();
  }

  /** The place in the path to which a complete chain of camels can bring the good in one go. */
  private int computeReach() {
    int camels = table.idle() - (job.take().isPresent() ? 1 : 0);
    int reach = job.last();
    while (reach > 1 && chain(reach) > camels) {
      reach--;
    }
    return reach;
  }

  /** The camels that a chain up to a place of the path takes beside the laden ones there. */
  private long chain(int place) {
    return 1 + path.subList(1, place).stream().filter(square -> !table.isLaden(square)).count();
  }

  private int computeCost() {
    int stride = Math.max(1, reach);
    int moves = Math.max(1, (job.last() + stride - 1) / stride);
    int sum = moves + missing(job.last()).stream().mapToInt(table::costTo).sum();
    if (job.take().isPresent()) {
      sum += 1 + (takerIsThere() ? 0 : table.costTo(path.get(0)));
    }
    return sum;
  }

  /**
   * The squares that still need a camel, in order; the good's own one only if it is the city too.
   */
  private List<Integer> missing(int until) {
    return IntStream.rangeClosed(Math.min(1, until), until)
        .filter(place -> !isHeld(place))
        .mapToObj(path::get)
        .toList();
  }

  /**
   * Whether a square of the path has the camel that it needs; where the good arrives, an empty one.
   */
  private boolean isHeld(int place) {
    int square = path.get(place);
    // Where a good is taken, one camel takes it; if that is the city too, another one receives it.
    int needed = place == 0 && job.take().isPresent() ? 2 : 1;
    return table.emptyOn(square) >= needed || (place < reach && table.isLaden(square));
  }

  private boolean takerIsThere() {
    return table.emptyOn(path.get(0)) > 0;
  }

  private Action moveGood(int from, int to) {
    MoveGood.Builder move =
        MoveGood.newBuilder()
            .setFromSquare(from)
            .setGoodValue(job.good())
            .setIsProtected(job.isProtected())
            .setToSquare(to);
    return Action.newBuilder().setMoveGood(move).build();
  }

  private Optional<Action> bringCamel(int target) {
    if (table.costTo(target) > table.view().getPoints()) {
      return Optional.empty();
    }
    if (table.own().getSupply() > 0) {
      return Optional.of(
          Action.newBuilder().setPlace(Place.newBuilder().setToSquare(target)).build());
    }
    return bestSpare(target).map(square -> move(square, target));
  }

  private static Action move(int from, int to) {
    Move.Builder move = Move.newBuilder().setFromSquare(from).setToSquare(to);
    return Action.newBuilder().setMove(move).build();
  }

  /** The square of the spare camel that is farthest from the city, of equals the lowest. */
  private Optional<Integer> bestSpare(int target) {
    int city = path.get(job.last());
    // Squares ascend, and min keeps the first of equals.
    return table.emptySquares().stream()
        .filter(square -> square != target && isSpare(square))
        .min(Comparator.comparing(square -> -table.distance(square, city)));
  }

  /** Whether an empty camel on the square is not needed there by this plan. */
  private boolean isSpare(int square) {
    int first = job.take().isPresent() ? 0 : Math.min(1, reach);
    int needed = path.subList(first, reach + 1).contains(square) ? 1 : 0;
    return table.emptyOn(square) > needed;
  }
}
