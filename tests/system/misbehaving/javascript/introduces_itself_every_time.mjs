/** Say hello before each of its answers. */
import { hello, run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  for await (const decision of link.decisions()) {
    link.say(hello());
    link.answer(decision);
  }
  await link.hearAll();
});
