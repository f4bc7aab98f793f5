/** One presence of the bot at the arena, over one or more connections: what each message of the arena does. */
import { createRequire } from "node:module";
import type { AnswerInput } from "../generated/arena/v1/Answer.js";
import type { Assigned } from "../generated/arena/v1/Assigned.js";
import type { CapacityInput } from "../generated/arena/v1/Capacity.js";
import type { ClientMessageInput } from "../generated/arena/v1/ClientMessage.js";
import type { Decision } from "../generated/arena/v1/Decision.js";
import type { ServerMessage } from "../generated/arena/v1/ServerMessage.js";
import type { Welcome } from "../generated/arena/v1/Welcome.js";
import type { Connection } from "./connection.js";
import { tell } from "./tell.js";

/** The version of proto/arena/v1/play.proto that this bot speaks. */
const PROTOCOL = 1;

/** The library, whose version the arena's operator is told. */
const GRPC = createRequire(import.meta.url)("@grpc/grpc-js/package.json") as { version: string };

/** The part of an answer that a bot decides: `index` or `action`. */
export type Choice = Pick<AnswerInput, "index" | "action">;

/** What makes one bot different from another. */
export interface Bot {
  /** Your label; a changed one is a new bot version. */
  readonly version: string;
  /** The ids of the games it plays. */
  readonly games: readonly string[];
  /** How many matches it takes on at once. */
  readonly matches: number;
  /** Answers one decision. Nothing is read meanwhile, pings neither: who thinks for long does so in a worker thread. */
  choose(decision: Decision): Choice;
}

/** Holds nothing of a match but its name, and that only while it is running. */
export class Session {
  private connection: Connection | undefined;
  private isWelcomed = false;
  private isLeaving = false;
  private resumeToken = "";
  /** The matches that are running, by assignment. */
  private readonly running = new Map<number, string>();
  /** Assignments that go on after a comeback and have not been told anew yet. */
  private untold = 0;

  constructor(private readonly bot: Bot) {}

  /** True once the bot is to leave and nothing keeps it. */
  get hasLeft(): boolean {
    return this.isLeaving && this.isIdle;
  }

  private get isIdle(): boolean {
    return this.running.size === 0 && this.untold === 0;
  }

  /** Speaks over this connection from now on. */
  attach(connection: Connection): void {
    this.connection = connection;
  }

  /** There is no connection any more; true if the arena had welcomed the bot on it. */
  detach(): boolean {
    const wasWelcomed = this.isWelcomed;
    this.connection = undefined;
    this.isWelcomed = false;
    return wasWelcomed;
  }

  /** Takes no more matches; once the running ones are over, the arena is told that nothing more comes. */
  leave(): void {
    this.isLeaving = true;
    if (this.isWelcomed) {
      this.say({ capacity: this.capacity() });
      this.halfCloseIfLeft();
    } else if (this.isIdle) {
      this.connection?.cancel();
    }
  }

  /** The next hello asks for the matches of lost sessions instead of those of this one. */
  forgetToken(): void {
    this.resumeToken = "";
  }

  /** Nothing is running any more. */
  forgetMatches(): void {
    this.running.clear();
    this.untold = 0;
  }

  /** The first message of a connection. */
  hello(): ClientMessageInput {
    // A program that was started again takes over what the one before has lost.
    const comeback = this.resumeToken ? { resumeToken: this.resumeToken } : { claim: true };
    return {
      hello: {
        lowestProtocol: PROTOCOL,
        highestProtocol: PROTOCOL,
        botVersion: this.bot.version,
        games: this.bot.games.map((game) => ({ game })),
        capacity: this.capacity(),
        language: "typescript",
        software: `grpc-js ${GRPC.version}`,
        ...comeback,
      },
    };
  }

  /** Does what a message other than a goodbye asks for; kinds that are not known ask for nothing. */
  handle(message: ServerMessage): void {
    this.report(message);
    if (message.welcome) this.welcome(message.welcome);
    if (message.ping) this.say({ pong: { id: message.ping.id } });
    if (message.assigned) this.assigned(message.assigned);
    if (message.decision) this.decide(message.decision);
    const over = message.matchEnded ?? message.seatEnded ?? message.withdrawn;
    if (over) this.over(over.assignment);
  }

  /** Passes on to people what is news and asks for nothing. */
  private report({ decisionClosed, answerIgnored, seatEnded, withdrawn, warning, draining }: ServerMessage): void {
    const news = decisionClosed ?? answerIgnored ?? withdrawn;
    if (news) tell(`${this.nameOf(news.assignment)}: ${news.sentence}`);
    if (seatEnded) tell(`${this.nameOf(seatEnded.assignment)}: ${seatEnded.ending?.sentence ?? "forfeited"}`);
    if (warning) tell(warning.sentence);
    if (draining) tell(`The arena shuts down within ${draining.withinMs} ms.`);
  }

  private welcome({ resumed, resumeToken, assignments, session, botVersion }: Welcome): void {
    tell(`${botVersion} plays in session ${session}.`);
    if (!resumed && this.running.size > 0) {
      tell("The arena does not know this session any more; its matches are void and cost nothing.");
    }
    this.resumeToken = resumeToken;
    this.isWelcomed = true;
    this.running.clear(); // What goes on is told anew.
    this.untold = assignments;
    if (this.isLeaving) this.leave();
  }

  /** Also told of matches that go on after a comeback; `ready` does no harm there. */
  private assigned({ assignment, match }: Assigned): void {
    this.running.set(assignment, match);
    this.untold = Math.max(0, this.untold - 1);
    this.say({ ready: { assignment } });
  }

  private decide(decision: Decision): void {
    const { assignment, decision: number } = decision;
    this.say({ answer: { assignment, decision: number, ...this.choose(decision) } });
  }

  /** What the bot chooses; nothing, which costs a strike at once and leaves the clock alone, if it throws. */
  private choose(decision: Decision): Choice {
    try {
      return this.bot.choose(decision);
    } catch (error) {
      console.error(error);
      return {};
    }
  }

  private over(assignment: number): void {
    this.running.delete(assignment);
    this.halfCloseIfLeft();
  }

  private halfCloseIfLeft(): void {
    if (this.hasLeft) this.connection?.halfClose();
  }

  private nameOf(assignment: number): string {
    return this.running.get(assignment) ?? `assignment ${assignment}`;
  }

  private say(message: ClientMessageInput): void {
    this.connection?.send(message);
  }

  private capacity(): CapacityInput {
    return { matches: this.isLeaving ? 0 : this.bot.matches, openDecisions: 1 };
  }
}
