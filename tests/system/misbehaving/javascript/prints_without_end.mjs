/** Write to its standard output without end while its decision is open. */
import { writeSync } from "node:fs";
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  for (;;) writeSync(1, "thinking\n".repeat(100));
});
