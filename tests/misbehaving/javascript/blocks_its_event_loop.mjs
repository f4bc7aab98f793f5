/** Thinks in its only thread until its time is long over, and hears nothing meanwhile. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  for await (const decision of link.decisions()) {
    const end = Date.now() + 4_000;
    while (Date.now() < end);
    link.answer(decision);
  }
});
