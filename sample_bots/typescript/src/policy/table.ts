/** The position of one decision as the policy of docs/bots/greedy.md needs it. */
import type { Board } from "../generated/arena/games/caravan/v1/Board.js";
import type { Observation } from "../generated/arena/games/caravan/v1/Observation.js";
import type { Seat } from "../generated/arena/games/caravan/v1/Seat.js";

/** What the page says is counted first; "own" means of the seat to act. */
export class Table {
  readonly board: Board;
  readonly own: Seat;
  /** Own empty camels by square. */
  readonly empty: ReadonlyMap<number, number>;
  /** The squares with an own laden camel. */
  readonly laden: ReadonlySet<number>;
  /** Own camels that carry nothing, those in the supply too. */
  readonly idle: number;
  private readonly occupied: ReadonlySet<number>;

  constructor(readonly view: Observation) {
    const own = view.seats[view.seatToAct];
    if (!view.board || !own) throw new Error("the observation has no board or no seat to act");
    this.board = view.board;
    this.own = own;
    this.empty = new Map(this.own.emptyCamels.map(({ square, count }) => [square, count]));
    this.laden = new Set(this.own.ladenCamels.map(({ square }) => square));
    this.idle = this.own.emptyCamels.reduce((sum, { count }) => sum + count, this.own.supply);
    const camels = view.seats.flatMap((seat) => [...seat.emptyCamels, ...seat.ladenCamels]);
    this.occupied = new Set(camels.map(({ square }) => square));
  }

  /** Own empty camels on a square. */
  emptyOn(square: number): number {
    return this.empty.get(square) ?? 0;
  }

  /** Action points to put a camel onto a square (C8). */
  costTo(square: number): number {
    return this.occupied.has(square) ? 2 : 1;
  }

  /** Orthogonal steps between two squares. */
  distance(one: number, other: number): number {
    return Math.abs(this.row(one) - this.row(other)) + Math.abs(this.column(one) - this.column(other));
  }

  /** The two paths with at most one corner, both ends included: first the one that begins along the row of `start`. */
  paths(start: number, end: number): number[][] {
    const { columns } = this.board;
    const corner = this.row(start) * columns + this.column(end);
    const otherCorner = this.row(end) * columns + this.column(start);
    return [
      [...squares(start, corner, 1), ...squares(corner, end, columns), end],
      [...squares(start, otherCorner, columns), ...squares(otherCorner, end, 1), end],
    ];
  }

  private row(square: number): number {
    return Math.floor(square / this.board.columns);
  }

  private column(square: number): number {
    return square % this.board.columns;
  }
}

/** The squares from `start` on in steps of `step` squares, up or down, without `end`. */
function* squares(start: number, end: number, step: number): Generator<number> {
  const stride = start < end ? step : -step;
  for (let square = start; square !== end; square += stride) yield square;
}
