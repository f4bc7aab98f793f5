/** Post its hello over HTTP/1.1. */
import { request } from "node:http";
import { ADDRESS, run } from "./visit.mjs";

await run(async (visit) => {
  const [host, port] = ADDRESS.split(":");
  await new Promise((resolve) => {
    const post = request({ host, port, method: "POST", path: "/arena.v1.PlayService/Play" });
    post.on("error", resolve);
    post.on("response", resolve);
    post.end(JSON.stringify({ hello: {} }));
  });
  visit.noteEnd("CLOSED");
});
