/** Think in its only thread about its first decision until the match is lost, and hear nothing meanwhile. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  const end = Date.now() + 4_000;
  while (Date.now() < end);
  await link.hear("matchEnded");
});
