/** The jobs of docs/bots/greedy.md: every good that could be brought to its city, and how. */
import type { ActionInput } from "../generated/arena/games/caravan/v1/Action.js";
import { Good } from "../generated/arena/games/caravan/v1/Good.js";
import type { Seat } from "../generated/arena/games/caravan/v1/Seat.js";
import type { Table } from "./table.js";

const RARE_VALUE = 6;
const COMMON_VALUE = 3;

/** A good to be brought to its city along one path. */
export interface Job {
  readonly good: Good;
  /** The squares from the good to its city, both included. */
  readonly path: readonly number[];
  readonly value: number;
  /** How the good comes onto an own camel on the first square; undefined if it is on one. */
  readonly take: ActionInput | undefined;
  /** Whether the good is protected once it is on an own camel. */
  readonly isProtected: boolean;
}

/** All jobs, in the order that decides between equally good ones. */
export function* jobs(table: Table): Generator<Job> {
  for (const { square, good, isProtected } of table.own.ladenCamels) {
    yield* jobsAt(table, square, { good, isProtected });
  }
  if (table.idle < 2) return; // C12: one camel must stay without a good.
  for (const [place, { good, demandMarkers }] of table.view.goodsSpaces.entries()) {
    const square = table.board.goodsSpaces[place];
    if (square === undefined) continue;
    yield* jobsAt(table, square, { good, take: { pickUp: { atSquare: square } }, markers: demandMarkers });
  }
  if (table.own.theftMarkers === 0) return;
  for (const [victim, seat] of table.view.seats.entries()) {
    if (victim !== table.view.seatToAct) yield* thefts(table, victim, seat);
  }
}

function* thefts(table: Table, victim: number, seat: Seat): Generator<Job> {
  for (const { square, good, isProtected } of seat.ladenCamels) {
    if (isProtected) continue;
    const take = { steal: { atSquare: square, victim, good } };
    yield* jobsAt(table, square, { good, take, isProtected: true });
  }
}

interface Find {
  good: Good;
  take?: ActionInput;
  markers?: number;
  isProtected?: boolean;
}

/** One job for each path; none for no good, nor for one that only a newer arena knows: neither has a city. */
function* jobsAt(table: Table, square: number, find: Find): Generator<Job> {
  const { good, take, markers = 0, isProtected = false } = find;
  const city = table.board.cities[good - Good.GOOD_MEAT];
  if (city === undefined) return;
  const value = markers + (good >= Good.GOOD_IVORY ? RARE_VALUE : COMMON_VALUE);
  for (const path of table.paths(square, city)) yield { good, path, value, take, isProtected };
}
