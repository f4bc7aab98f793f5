package samplebots.greedy;

import arena.games.caravan.v1.Action;
import arena.games.caravan.v1.Observation;
import arena.games.caravan.v1.Pass;
import arena.v1.Decision;
import java.util.Optional;
import samplebots.client.Bot;

/** Always takes the next step of the job that pays most points per action point. */
final class Greedy implements Bot {
  @Override
  public String game() {
    return "caravan";
  }

  @Override
  public arena.v1.Action choose(Decision decision) {
    Action action = bestAction(decision.getView().getCaravan());
    return arena.v1.Action.newBuilder().setCaravan(action).build();
  }

  /** Returns the next action for the best job, or PASS if there is nothing to do. */
  static Action bestAction(Observation view) {
    Table table = new Table(view);
    Plan best = null;
    Action bestStep = Action.newBuilder().setPassTurn(Pass.getDefaultInstance()).build();
    for (Job job : Jobs.of(table)) {
      Plan plan = new Plan(table, job);
      if (job.steals() && plan.cost() > view.getPoints()) {
        continue; // A theft must be delivered in the same turn.
      }
      if (best != null && !plan.paysMoreThan(best)) {
        continue;
      }
      Optional<Action> step = plan.nextAction();
      if (step.isPresent()) {
        best = plan;
        bestStep = step.get();
      }
    }
    return bestStep;
  }
}
