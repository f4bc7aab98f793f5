/** Fill buffers without end while its decision is open: they lie outside of the heap that its runtime limits. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  const kept = [];
  for (;;) kept.push(Buffer.alloc(1 << 20, kept.length + 1));
});
