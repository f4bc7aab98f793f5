/** Starts programs until it is refused one while its decision is open, and throws what it is told then. */
import { spawn } from "node:child_process";
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  for (;;) spawn("sleep", ["86400"]).on("error", (error) => process.exit(error.code === "EAGAIN" ? 11 : 1));
});
