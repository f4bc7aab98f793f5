package samplebots.greedy;

import arena.games.caravan.v1.Observation;
import arena.games.caravan.v1.Seat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The position of one decision as the policy needs it. "Own" means of the seat to act. */
final class Table {
  private final Observation view;
  private final Seat own;
  private final SortedMap<Integer, Integer> empty = new TreeMap<>();
  private final Set<Integer> laden = new HashSet<>();
  private final Set<Integer> occupied = new HashSet<>();
  private final int columns;
  private final int idle;

  /** Counts the camels. */
  Table(Observation view) {
    this.view = view;
    own = view.getSeats(view.getSeatToAct());
    columns = view.getBoard().getColumns();
    own.getEmptyCamelsList().forEach(camels -> empty.put(camels.getSquare(), camels.getCount()));
    own.getLadenCamelsList().forEach(camel -> laden.add(camel.getSquare()));
    for (Seat seat : view.getSeatsList()) {
      seat.getEmptyCamelsList().forEach(camels -> occupied.add(camels.getSquare()));
      seat.getLadenCamelsList().forEach(camel -> occupied.add(camel.getSquare()));
    }
    idle = own.getSupply() + empty.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the position as the arena has sent it. */
  Observation view() {
    return view;
  }

  /** Returns what the seat to act has. */
  Seat own() {
    return own;
  }

  /** Returns the number of own camels in the supply, and of own empty ones on the board. */
  int idle() {
    return idle;
  }

  /** Returns the squares with own empty camels, ascending. */
  Set<Integer> emptySquares() {
    return empty.keySet();
  }

  /** Returns how many own empty camels stand on a square. */
  int emptyOn(int square) {
    return empty.getOrDefault(square, 0);
  }

  /** Returns whether an own laden camel stands on a square. */
  boolean isLaden(int square) {
    return laden.contains(square);
  }

  /** Returns the action points it takes to put a camel onto a square (C8). */
  int costTo(int square) {
    return occupied.contains(square) ? 2 : 1;
  }

  /** Returns the orthogonal steps between two squares. */
  int distance(int one, int other) {
    return Math.abs(one / columns - other / columns) + Math.abs(one % columns - other % columns);
  }

  /**
   * Returns the path that goes along the row of its first square, then along the column of its
   * last.
   */
  List<Integer> pathAlongRow(int from, int to) {
    int corner = from - from % columns + to % columns;
    return path(from, corner, 1, to, columns);
  }

  /**
   * Returns the path that goes along the column of its first square, then along the row of its
   * last.
   */
  List<Integer> pathAlongColumn(int from, int to) {
    int corner = to - to % columns + from % columns;
    return path(from, corner, columns, to, 1);
  }

  private static List<Integer> path(int from, int corner, int step, int to, int nextStep) {
    List<Integer> squares = new ArrayList<>(List.of(from));
    addLine(squares, corner, step);
    addLine(squares, to, nextStep);
    return squares;
  }

  /** Goes on from the last of the squares to the end, in steps of so many squares. */
  private static void addLine(List<Integer> squares, int end, int step) {
    int square = squares.get(squares.size() - 1);
    int stride = square <= end ? step : -step;
    while (square != end) {
      square += stride;
      squares.add(square);
    }
  }
}
