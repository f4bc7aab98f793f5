/** Kill its own process while its decision is open. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  visit.report();
  process.kill(process.pid, "SIGKILL");
  await link.hearAll();
});
