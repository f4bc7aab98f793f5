/** Send a hundred HTTP/2 pings at once. */
import { connect } from "node:http2";
import { ADDRESS, run } from "./visit.mjs";

await run(async (visit) => {
  const session = connect(`http://${ADDRESS}`, { maxOutstandingPings: 1_000 });
  session.on("error", () => {}); // what the arena thinks of it is in its GOAWAY
  const gone = new Promise((resolve) => session.on("goaway", (code, _, data) => resolve(`GOAWAY ${code}: ${data}`)));
  session.on("connect", () => {
    for (let count = 0; count < 100; count += 1) session.ping(() => {});
  });
  visit.noteEnd(await gone);
});
