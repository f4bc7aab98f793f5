// The pages work without this file. It reloads a match that has ended, and lets an address name a step of a replay.
"use strict";

const replay = document.getElementById("replay");
if (replay && location.hash) {
  replay.src = replay.getAttribute("src") + location.hash;
}
if (replay) {
  replay.addEventListener("load", () => {
    const inside = replay.contentWindow;
    const follow = () => history.replaceState(null, "", inside.location.hash || location.pathname);
    inside.addEventListener("hashchange", follow);
  });
}

document.body.addEventListener("htmx:sseClose", () => {
  if (document.getElementById("ended")) {
    location.reload();
  }
});
