/** Send a frame of two mebibytes. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  link.sayBytes(Buffer.alloc(2 << 20));
  await link.hearAll();
});
