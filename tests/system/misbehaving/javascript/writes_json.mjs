/** Write JSON where a protobuf message is expected. */
import { run } from "./visit.mjs";

await run(async (visit) => {
  const link = await visit.seated();
  await link.hear("decision");
  link.sayBytes(JSON.stringify({ messages: [{ answer: { assignment: link.assignment, decision: 1, index: 0 } }] }));
  await link.hearAll();
});
