/** Cancel its call while its decision is open. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  link.call.cancel();
  await link.hearAll();
});
