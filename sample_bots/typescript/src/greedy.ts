/** The greedy bot: docs/bots/greedy.md says how it plays, the files in arena/ how a bot behaves. */
import { ExitCode, play } from "./arena/play.js";
import type { Bot } from "./arena/session.js";
import { type Endpoint, endpointFrom, SettingsError } from "./arena/settings.js";
import { tell } from "./arena/tell.js";
import { bestAction } from "./policy/greedy.js";

const GREEDY: Bot = {
  version: "1",
  games: ["caravan"],
  matches: 4,
  choose({ view }) {
    return view?.caravan ? { action: { caravan: bestAction(view.caravan) } } : {};
  },
};

/** Aborted by the first SIGINT or SIGTERM. The second one meets no handler any more and ends the program at once. */
function leaveSignal(): AbortSignal {
  const leaving = new AbortController();
  const leave = () => {
    process.off("SIGINT", leave).off("SIGTERM", leave);
    leaving.abort();
  };
  process.on("SIGINT", leave).on("SIGTERM", leave);
  return leaving.signal;
}

/** Where to play; ends the program if the environment does not say. */
function endpoint(): Endpoint {
  try {
    return endpointFrom(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    tell(error.message);
    return process.exit(ExitCode.Settings);
  }
}

process.exit(await play(GREEDY, endpoint(), leaveSignal()));
