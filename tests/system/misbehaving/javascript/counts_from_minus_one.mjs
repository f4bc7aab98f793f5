/** Answer with the index -1, which its library sends as 4294967295. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  for await (const decision of link.decisions()) link.answer(decision, -1);
});
