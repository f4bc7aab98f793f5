/** Keep all that it allocates while its decision is open: its runtime gives up before its memory is used up. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  const kept = [];
  for (;;) kept.push(new Array(10_000).fill(kept.length));
});
