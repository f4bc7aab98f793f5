/** Start programs until it is refused one while its decision is open, and give up. */
import { spawn } from "node:child_process";
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  for (;;) {
    const child = spawn("sleep", ["86400"], { stdio: "ignore" });
    child.on("error", () => {});
    if (child.pid === undefined) process.exit(11);
  }
});
