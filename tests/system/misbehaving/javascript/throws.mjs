/** Throw an error that nobody catches while its decision is open. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  throw new Error("nobody catches this");
});
