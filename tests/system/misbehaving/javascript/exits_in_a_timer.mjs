/** Exit with 7 in a timer while its decision is open. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  setTimeout(() => process.exit(7), 10);
  await link.hearAll();
});
