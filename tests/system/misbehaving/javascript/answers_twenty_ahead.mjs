/** Answer each decision and the twenty after it in one frame. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  for await (const decision of link.decisions()) {
    const all = Array.from({ length: 21 }, (_, ahead) => decision + ahead);
    link.say(...all.map((each) => ({ answer: { assignment: link.assignment, decision: each, index: 0 } })));
  }
  await link.leave();
});
