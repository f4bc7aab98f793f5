// The pages work without this file. It reloads a match that has ended, and makes the page of a match name the step of its
// replay; in forms it hides the options of other games.
"use strict";

const replay = document.getElementById("replay");

function openAsNamed() {
  replay.contentWindow.location.replace(new URL(replay.getAttribute("src") + location.hash, location.href));
}

if (replay) {
  if (location.hash) openAsNamed();
  addEventListener("hashchange", openAsNamed);
  addEventListener("message", (event) => {
    const address = event.data?.replayAddress;
    if (event.source === replay.contentWindow && /^#ply=\d+(&view=\d+)?$/.test(address)) {
      history.replaceState(null, "", address);
    }
  });
}

document.body.addEventListener("htmx:sseClose", () => {
  if (document.getElementById("ended")) {
    location.reload();
  }
});

const game = document.getElementById("game");

function showOptions() {
  for (const each of document.querySelectorAll("details[data-game]")) {
    each.hidden = each.dataset.game !== game.value;
  }
}

if (game?.form?.method === "post") {
  game.addEventListener("change", showOptions);
  showOptions();
}
