/** Answer with NaN for the index and Infinity for the assignment: its library sends 0 for both. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  for await (const decision of link.decisions()) {
    link.say({ answer: { assignment: Infinity, decision, index: NaN } });
    link.answer(decision, NaN);
  }
  await link.leave();
});
