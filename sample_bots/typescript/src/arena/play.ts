/** Keeps a bot at the arena, over one connection after the other, until there is a reason to end the program. */
import { setTimeout as sleep } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { _arena_v1_Goodbye_Code as GoodbyeCode, type Goodbye } from "../generated/arena/v1/Goodbye.js";
import { Connection, ConnectionLostError } from "./connection.js";
import { type Bot, Session } from "./session.js";
import type { Endpoint } from "./settings.js";
import { tell } from "./tell.js";

/** How the program ends; 1 is left to errors of the program itself. */
export enum ExitCode {
  /** The bot has left, or the arena has shut down for good. */
  Done = 0,
  /** The environment does not say where the arena is. */
  Settings = 2,
  /** The arena does not want this bot like this; starting it again would not help. */
  Refused = 3,
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** A bot that is to leave gives up its running matches after so many attempts to come back to them. */
const LEAVING_ATTEMPTS = 5;

/** Statuses that another attempt would only meet again. */
const FINAL_STATUSES: ReadonlySet<status> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.FAILED_PRECONDITION,
  status.INVALID_ARGUMENT,
  status.UNIMPLEMENTED,
]);

/** The connection is over; another one makes sense, at the earliest after this time. */
interface Again {
  readonly why: string;
  readonly afterMs: number;
}

type End = ExitCode | Again;

/** Plays until the arena says goodbye for good or, once `leave` is aborted, the running matches are over. */
export async function play(bot: Bot, endpoint: Endpoint, leave: AbortSignal): Promise<ExitCode> {
  const session = new Session(bot);
  leave.addEventListener("abort", () => session.leave());
  let pauseMs = FIRST_PAUSE_MS;
  let failures = 0;
  while (!session.hasLeft && !(leave.aborted && failures >= LEAVING_ATTEMPTS)) {
    const { end, wasWelcomed } = await visit(session, endpoint);
    if (typeof end === "number") return end;
    if (session.hasLeft) break;
    failures += 1;
    if (wasWelcomed) [pauseMs, failures] = [FIRST_PAUSE_MS, 0];
    const waitMs = Math.max(pauseMs, end.afterMs);
    tell(`${end.why} Trying again in ${waitMs / 1000} s.`);
    await sleepUnless(leave, waitMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  return ExitCode.Done;
}

/** Waits, or until the bot is told to leave; if it has been told so before, the whole time. */
async function sleepUnless(leave: AbortSignal, ms: number): Promise<void> {
  if (leave.aborted) await sleep(ms);
  else await sleep(ms, undefined, { signal: leave }).catch(() => {});
}

/** Serves one connection to its end. */
async function visit(session: Session, endpoint: Endpoint): Promise<{ end: End; wasWelcomed: boolean }> {
  const connection = new Connection(endpoint, () => session.hello());
  session.attach(connection);
  const end = await converse(session, connection);
  return { end, wasWelcomed: session.detach() };
}

async function converse(session: Session, connection: Connection): Promise<End> {
  let goodbye: Goodbye | undefined;
  try {
    for await (const message of connection.messages()) {
      if (message.goodbye) goodbye = message.goodbye;
      else if (!goodbye) session.handle(message);
    }
  } catch (error) {
    if (!(error instanceof ConnectionLostError)) throw error;
    if (!goodbye) return afterLoss(error);
  }
  if (goodbye) return afterGoodbye(session, goodbye);
  return { why: "The arena ended the connection without a goodbye.", afterMs: 0 };
}

function afterGoodbye(session: Session, { code, sentence, comeBack, comeBackAfterMs }: Goodbye): End {
  tell(`The arena says goodbye: ${sentence}`);
  switch (code) {
    case GoodbyeCode.CODE_DONE:
      return ExitCode.Done;
    case GoodbyeCode.CODE_REPLACED:
      return ExitCode.Refused;
    case GoodbyeCode.CODE_RESUME_INVALID:
      session.forgetToken();
      break;
    case GoodbyeCode.CODE_SHUTTING_DOWN:
      session.forgetMatches(); // What was still running is void.
      if (!comeBack) return ExitCode.Done;
  }
  return comeBack ? { why: "The arena is left for now.", afterMs: comeBackAfterMs } : ExitCode.Refused;
}

function afterLoss(lost: ConnectionLostError): End {
  if (!FINAL_STATUSES.has(lost.code)) return { why: `No connection to the arena (${lost.message}).`, afterMs: 0 };
  tell(`The arena refuses this bot (${lost.message}).`);
  return ExitCode.Refused;
}
