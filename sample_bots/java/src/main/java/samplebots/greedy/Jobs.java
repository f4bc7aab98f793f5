package samplebots.greedy;

import arena.games.caravan.v1.Action;
import arena.games.caravan.v1.Good;
import arena.games.caravan.v1.GoodsSpace;
import arena.games.caravan.v1.LadenCamel;
import arena.games.caravan.v1.Observation;
import arena.games.caravan.v1.PickUp;
import arena.games.caravan.v1.Seat;
import arena.games.caravan.v1.Steal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the jobs of a position, in the order that decides between equally good ones. */
final class Jobs {
  private static final int RARE_VALUE = 6;
  private static final int COMMON_VALUE = 3;

  private final Table table;
  private final Observation view;
  private final List<Job> jobs = new ArrayList<>();

  private Jobs(Table table) {
    this.table = table;
    this.view = table.view();
  }

  /** Returns all jobs there are. */
  static List<Job> of(Table table) {
    Jobs jobs = new Jobs(table);
    jobs.addCarried();
    if (table.idle() >= 2) { // C12: one camel must stay without a good.
      jobs.addPickUps();
      if (table.own().getTheftMarkers() > 0) {
        jobs.addThefts();
      }
    }
    return jobs.jobs;
  }

  private void addCarried() {
    for (LadenCamel camel : table.own().getLadenCamelsList()) {
      int good = camel.getGoodValue();
      add(camel.getSquare(), good, worth(good), Optional.empty(), camel.getIsProtected());
    }
  }

  private void addPickUps() {
    for (int i = 0; i < view.getGoodsSpacesCount(); i++) {
      GoodsSpace space = view.getGoodsSpaces(i);
      int good = space.getGoodValue();
      if (good != Good.GOOD_UNSPECIFIED_VALUE) {
        int square = view.getBoard().getGoodsSpaces(i);
        Action take =
            Action.newBuilder().setPickUp(PickUp.newBuilder().setAtSquare(square)).build();
        add(square, good, worth(good) + space.getDemandMarkers(), Optional.of(take), false);
      }
    }
  }

  private void addThefts() {
    for (int victim = 0; victim < view.getSeatsCount(); victim++) {
      if (victim != view.getSeatToAct()) {
        addThefts(victim, view.getSeats(victim));
      }
    }
  }

  private void addThefts(int victim, Seat seat) {
    for (LadenCamel camel : seat.getLadenCamelsList()) {
      if (!camel.getIsProtected()) {
        int good = camel.getGoodValue();
        Steal.Builder theft =
            Steal.newBuilder().setAtSquare(camel.getSquare()).setVictim(victim).setGoodValue(good);
        Action take = Action.newBuilder().setSteal(theft).build();
        add(camel.getSquare(), good, worth(good), Optional.of(take), true);
      }
    }
  }

  /** Adds the job along both paths. */
  private void add(int square, int good, int value, Optional<Action> take, boolean isProtected) {
    int city = view.getBoard().getCities(good - 1);
    jobs.add(new Job(good, table.pathAlongRow(square, city), value, take, isProtected));
    jobs.add(new Job(good, table.pathAlongColumn(square, city), value, take, isProtected));
  }

  private static int worth(int good) {
    return good >= Good.GOOD_IVORY_VALUE ? RARE_VALUE : COMMON_VALUE;
  }
}
