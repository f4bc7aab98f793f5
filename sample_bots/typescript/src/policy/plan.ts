/** The plan of a job in docs/bots/greedy.md: what it costs, and the next action towards it. */
import type { ActionInput } from "../generated/arena/games/caravan/v1/Action.js";
import type { Job } from "./jobs.js";
import type { Table } from "./table.js";

/** What a job still needs. */
export class Plan {
  /** Action points until the good is delivered. */
  readonly cost: number;
  private readonly start: number;
  private readonly city: number;
  private readonly last: number;
  /** The place in the path to which a complete chain of camels can bring the good in one go. */
  private readonly reach: number;

  constructor(
    private readonly table: Table,
    readonly job: Job,
  ) {
    this.last = job.path.length - 1;
    this.start = this.square(0);
    this.city = this.square(this.last);
    this.reach = this.findReach();
    this.cost = this.findCost();
  }

  /** The first action of the plan that the points left can pay; undefined if there is none. */
  nextAction(): ActionInput | undefined {
    if (this.job.take) return this.takerIsThere() ? this.job.take : this.bringCamel(this.start);
    const missing = this.missing(this.reach);
    if (missing.length === 0) return this.moveGood();
    for (const square of missing) {
      const action = this.bringCamel(square);
      if (action) return action;
    }
    return undefined;
  }

  private findReach(): number {
    const camels = this.job.take ? this.table.idle - 1 : this.table.idle;
    let reach = this.last;
    while (reach > 1 && 1 + this.notLadenBefore(reach) > camels) reach -= 1;
    return reach;
  }

  private notLadenBefore(place: number): number {
    return this.job.path.slice(1, place).filter((square) => !this.table.laden.has(square)).length;
  }

  private findCost(): number {
    const moves = this.last === 0 ? 1 : Math.ceil(this.last / Math.max(1, this.reach));
    const camels = this.missing(this.last).reduce((sum, square) => sum + this.table.costTo(square), 0);
    return moves + camels + (this.job.take ? this.costOfTake() : 0);
  }

  private costOfTake(): number {
    return this.takerIsThere() ? 1 : 1 + this.table.costTo(this.start);
  }

  private takerIsThere(): boolean {
    return this.table.emptyOn(this.start) > 0;
  }

  /** The squares that still need a camel, in order; the good's own one only if it is the city too. */
  private missing(until: number): number[] {
    const first = Math.min(1, until);
    return this.job.path.slice(first, until + 1).filter((square, index) => !this.isHeld(square, first + index));
  }

  /** Whether a square of the path has the camel that it needs; where the good arrives, an empty one. */
  private isHeld(square: number, place: number): boolean {
    const needed = place === 0 && this.job.take ? 2 : 1; // One takes the good, the other one receives it.
    return this.table.emptyOn(square) >= needed || (place < this.reach && this.table.laden.has(square));
  }

  private moveGood(): ActionInput {
    const { good, isProtected } = this.job;
    const toSquare = this.square(this.reach);
    return { moveGood: { fromSquare: this.start, good, isProtected, toSquare } };
  }

  private bringCamel(target: number): ActionInput | undefined {
    if (this.table.costTo(target) > this.table.view.points) return undefined;
    if (this.table.own.supply > 0) return { place: { toSquare: target } };
    const from = this.bestSpare(target);
    return from === undefined ? undefined : { move: { fromSquare: from, toSquare: target } };
  }

  /** The square from which a camel is moved: the farthest from the city, of equals the lowest. */
  private bestSpare(target: number): number | undefined {
    const spare = [...this.table.empty.keys()].filter((square) => square !== target && this.hasSpare(square));
    const toCity = (square: number) => this.table.distance(square, this.city);
    return spare.sort((one, other) => toCity(other) - toCity(one) || one - other)[0];
  }

  /** Whether an own empty camel on the square is not needed there by this plan. */
  private hasSpare(square: number): boolean {
    const first = this.job.take ? 0 : Math.min(1, this.reach);
    const needed = this.job.path.slice(first, this.reach + 1).includes(square) ? 1 : 0;
    return this.table.emptyOn(square) > needed;
  }

  /** The square at a place of the path. */
  private square(place: number): number {
    return this.job.path[place] as number; // All places asked for lie between 0 and `last`.
  }
}
