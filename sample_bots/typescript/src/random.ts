/** The smallest complete bot: it plays any legal action. Copy it to begin your own (docs/bots/typescript.md). */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ClientMessageInput } from "./generated/arena/v1/ClientMessage.js";
import type { Decision } from "./generated/arena/v1/Decision.js";
import type { EvaluationInput } from "./generated/arena/v1/Evaluation.js";
import { _arena_v1_Goodbye_Code as Code, type Goodbye } from "./generated/arena/v1/Goodbye.js";
import type { PlayResponse } from "./generated/arena/v1/PlayResponse.js";
import type { ServerMessage } from "./generated/arena/v1/ServerMessage.js";
import type { ProtoGrpcType } from "./generated/play.js";

const { ARENA_ADDRESS: address = "", ARENA_TOKEN: token, ARENA_TLS: tls, ARENA_TLS_CA: authorities } = process.env;
const form = { includeDirs: [`${import.meta.dirname}/../proto`], defaults: true, longs: String }; // As in package.json.
const { arena } = grpc.loadPackageDefinition(loadSync("arena/v1/play.proto", form)) as unknown as ProtoGrpcType;
let resumeToken = "";
let pauseMs = 100;

/** The place of the action to play in the list of legal actions. */
function choose(decision: Decision): number {
  return Math.floor(Math.random() * decision.legalActions.length);
}

/** What the bot expects of the match: that it ends as it stands. Nobody is sent it before the end. */
function expectation({ view }: Decision): EvaluationInput {
  return { finalScores: view?.caravan?.seats.map(({ score }) => score) ?? [], line: "as it stands" };
}

/** The first message of every connection. */
function hello(): ClientMessageInput {
  const comeback = resumeToken ? { resumeToken } : { claim: true };
  const bot = { botVersion: "1", games: [{ game: "caravan" }], capacity: { matches: 4, openDecisions: 1 } };
  const stack = { language: "typescript", software: "grpc-js" };
  return { hello: { lowestProtocol: 1, highestProtocol: 1, ...bot, ...stack, ...comeback } };
}

/** What to say to a message of the arena: nothing to most, and to kinds that are not known. */
function reply({ ping, assigned, decision, welcome, warning }: ServerMessage): ClientMessageInput | undefined {
  if (ping) return { pong: { id: ping.id } };
  if (assigned) return { ready: { assignment: assigned.assignment } };
  if (decision) {
    const choice = { index: choose(decision), evaluation: expectation(decision) };
    return { answer: { assignment: decision.assignment, decision: decision.decision, ...choice } };
  }
  if (welcome) [resumeToken, pauseMs] = [welcome.resumeToken, 100];
  if (warning) console.error(warning.sentence);
  return undefined;
}

/** Ends the program, unless the arena lets the bot come back. */
function obey({ code, sentence, comeBack, comeBackAfterMs }: Goodbye): void {
  console.error(sentence);
  if (!comeBack) process.exit(code === Code.CODE_DONE ? 0 : 3);
  pauseMs = Math.max(pauseMs, comeBackAfterMs);
}

/** Plays over one connection until it ends. */
async function visit(): Promise<void> {
  // No repeats by the library: coming back takes the resume token. Nor does a lost connection slow the next one down.
  const options = { "grpc.enable_retries": 0, "grpc.use_local_subchannel_pool": 1 };
  const client = new arena.v1.PlayService(address, security(), options);
  const metadata = new grpc.Metadata();
  if (token) metadata.set("authorization", `Bearer ${encodeURI(token)}`); // Else an odd token would be in an error.
  const call = client.play(metadata);
  call.once("metadata", () => call.write({ messages: [hello()] }));
  let goodbye: Goodbye | null | undefined;
  let loss = "The arena ended the call without a goodbye.";
  try {
    for await (const { messages } of call as AsyncIterable<PlayResponse>) {
      for (const message of messages) {
        const answer = reply(message);
        if (answer) call.write({ messages: [answer] });
        goodbye ??= message.goodbye;
      }
    }
  } catch (error) {
    const { code, details } = error as grpc.ServiceError;
    if (details === undefined) throw error; // Not from the call: a mistake in this program.
    loss = `No connection to the arena (${grpc.status[code]}: ${details}).`;
  }
  client.close();
  if (goodbye) obey(goodbye);
  else console.error(loss);
}

/** How connections are encrypted, a Unix socket never; ends the program if the environment is not usable. */
function security(): grpc.ChannelCredentials {
  try {
    if (!address) throw new Error("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.");
    if (address.startsWith("unix:") || (tls !== "1" && !authorities)) return grpc.credentials.createInsecure();
    return grpc.credentials.createSsl(authorities ? readFileSync(authorities) : null);
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(2);
  }
}

for (;;) {
  await visit();
  await sleep(pauseMs);
  pauseMs = Math.min(2 * pauseMs, 10_000);
}
