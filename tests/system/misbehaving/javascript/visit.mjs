/**
 * What the bots in this folder share: connections that say and hear messages one by one, and a report of all of it.
 * They need what sample_bots/typescript/build has installed, and nothing is compiled.
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const BOTS = new URL("../../../../sample_bots/typescript/package.json", import.meta.url);
const require = createRequire(BOTS);
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const FORM = {
  includeDirs: [fileURLToPath(new URL("../../../../proto", import.meta.url))],
  defaults: true,
  enums: String,
  longs: String,
};
const { arena } = grpc.loadPackageDefinition(loadSync("arena/v1/play.proto", FORM));
const { Play: PLAY } = arena.v1.PlayService.service;

export const ADDRESS = process.env.ARENA_ADDRESS;
const METADATA = new grpc.Metadata();
METADATA.set("authorization", `Bearer ${process.env.ARENA_TOKEN}`);

/** A valid introduction, with these fields changed. */
export function hello(fields = {}) {
  return { hello: { lowestProtocol: 1, highestProtocol: 1, games: [{ game: "caravan" }], ...fields } };
}

/** One connection to the arena. */
export class Link {
  assignment = 0;
  heard = [];
  /** How the arena has ended the connection, in one line; empty if it has not. */
  end = "";
  #waiting = [];
  #wake = () => {};
  #ended = false;

  constructor() {
    const client = new grpc.Client(ADDRESS, grpc.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
    const serialize = (frame) => (Buffer.isBuffer(frame) ? frame : PLAY.requestSerialize(frame));
    this.call = client.makeBidiStreamRequest(PLAY.path, serialize, PLAY.responseDeserialize, METADATA);
    this.call.on("data", ({ messages }) => {
      this.#waiting.push(...messages);
      this.#wake();
    });
    this.call.on("error", () => {}); // its status says the same
    this.call.on("status", ({ code, details }) => {
      this.end = this.#endWith(grpc.status[code], details);
      this.#ended = true;
      this.#wake();
    });
  }

  /** One frame of these messages. */
  say(...messages) {
    this.call.write({ messages });
  }

  /** One frame, whatever is in it. */
  sayBytes(bytes) {
    this.call.write(Buffer.from(bytes));
  }

  /** Answers with a place in the list of actions. */
  answer(decision, index = 0) {
    this.say({ answer: { assignment: this.assignment, decision, index } });
  }

  /** Takes the seat of one match and of no other; the match has begun. */
  async takeOneSeat(fields) {
    this.say(hello(fields));
    const { assigned } = await this.hear("assigned");
    this.assignment = assigned.assignment;
    this.say({ capacity: {} }, { ready: { assignment: this.assignment } });
    await this.hear("matchStarted");
    return this;
  }

  /** The next message of this kind; undefined if none comes any more. */
  async hear(kind) {
    for await (const message of this.messages()) if (message[kind]) return message;
    return undefined;
  }

  /** Every decision, until the match or the connection has ended. */
  async *decisions() {
    for await (const { decision, matchEnded } of this.messages()) {
      if (matchEnded) return;
      if (decision) yield decision.decision;
    }
  }

  /** Every message, pings answered, until the arena has ended the connection. */
  async *messages() {
    for (;;) {
      const message = this.#waiting.shift();
      if (message) {
        this.heard.push(message);
        if (message.ping) this.say({ pong: { id: message.ping.id } });
        yield message;
      } else if (this.#ended) return;
      else await new Promise((resolve) => (this.#wake = resolve));
    }
  }

  /** Listens until the arena has ended the connection. */
  async hearAll() {
    for await (const _ of this.messages());
  }

  /** Leaves as it should. */
  async leave() {
    this.call.end();
    await this.hearAll();
  }

  #endWith(status, details) {
    const goodbye = [...this.heard, ...this.#waiting].findLast((message) => message.goodbye)?.goodbye;
    return goodbye ? `${status} ${goodbye.code.replace("CODE_", "")}: ${goodbye.sentence}` : `${status}: ${details}`;
  }
}

/** A message that says that something was wrong, in one line; undefined for any other. */
function incident({ decisionClosed, answerIgnored, warning }) {
  if (decisionClosed) return `${decisionClosed.cause.replace("CAUSE_", "")}: ${decisionClosed.sentence}`;
  if (answerIgnored) return `${answerIgnored.reason.replace("REASON_", "")}: ${answerIgnored.sentence}`;
  if (warning) return `${warning.code.replace("CODE_", "")}: ${warning.sentence}`;
  return undefined;
}

/** All that one bot does at the arena. */
class Visit {
  #links = [];
  #ends = [];

  /** One more connection. */
  dial() {
    this.#links.push(new Link());
    return this.#links.at(-1);
  }

  /** A connection that has taken the seat of one match, which has begun. */
  seated(fields) {
    return this.dial().takeOneSeat(fields);
  }

  /** Another end than those of its links: of bare bytes. */
  noteEnd(end) {
    this.#ends.push(end);
  }

  /** Writes down what the arena has made of it, each incident once: a program may not write without bound. */
  report() {
    const ends = [...this.#ends, ...this.#links.map((link) => link.end)].filter(Boolean);
    const incidents = this.#links.flatMap((link) => link.heard.map(incident)).filter(Boolean);
    console.log(JSON.stringify({ ends, incidents: [...new Set(incidents)] }));
  }
}

/** Misbehaves, and reports how it was answered. */
export async function run(misbehave) {
  const visit = new Visit();
  try {
    await misbehave(visit);
  } finally {
    visit.report();
  }
  process.exit(0);
}
