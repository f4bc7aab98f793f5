// The page of a person who plays: shows the state that the bot sends, and sends what is chosen.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
let state = { version: 0, choices: [], planned: [], news: [] };
let way = []; // the places that were clicked, as "x,y"

const key = ([x, y]) => `${x},${y}`;
const wayOf = (choice) => choice.spots.map(key);

async function send(command) {
  await fetch("do", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(command) });
}

function filtered() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  return state.choices.filter((choice) => {
    const text = `${choice.words} ${choice.notation}`.toLowerCase();
    return words.every((word) => text.includes(word)) && way.every((spot, index) => wayOf(choice)[index] === spot);
  });
}

function plan(choice) {
  way = [];
  byId("filter").value = "";
  send({ do: "plan", notation: choice.notation });
}

function click(spot) {
  const index = way.indexOf(spot);
  way = index >= 0 ? way.slice(0, index) : [...way, spot];
  const left = filtered();
  const whole = left.filter((choice) => wayOf(choice).length === way.length);
  if (left.length === 1 && way.length) plan(left[0]);
  else if (whole.length === 1 && whole.length === left.length) plan(whole[0]);
  else draw();
}

function drawSpots() {
  const picture = byId("board").querySelector("svg");
  if (!picture) return;
  picture.setAttribute("role", "group"); // it has buttons
  for (const spot of picture.querySelectorAll(".spot")) spot.remove();
  const next = new Set(filtered().map((choice) => wayOf(choice)[way.length]).filter(Boolean));
  for (const spot of new Set([...way, ...next])) {
    const [x, y] = spot.split(",");
    const circle = document.createElementNS(SVG, "circle");
    for (const [name, value] of [["cx", x], ["cy", y], ["r", 22], ["tabindex", 0], ["role", "button"]]) circle.setAttribute(name, value);
    circle.setAttribute("class", way.includes(spot) ? "spot chosen" : "spot");
    circle.setAttribute("aria-label", way.includes(spot) ? `chosen place at ${spot}` : `place at ${spot}`);
    circle.dataset.spot = spot;
    circle.addEventListener("click", () => click(spot));
    circle.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); click(spot); } });
    picture.append(circle);
  }
}

function draw() {
  const left = filtered();
  byId("count").textContent = state.choices.length ? `${left.length} of ${state.choices.length} legal actions` : "";
  byId("choices").replaceChildren(...left.map((choice) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = choice.words;
    button.title = choice.notation;
    button.addEventListener("click", () => plan(choice));
    item.append(button);
    return item;
  }));
  drawSpots();
}

function show() {
  byId("status").textContent = state.over ? "The match is over." : state.waiting !== false ? "The others act." : state.planned.length && !state.open ? "Send your plan, or take it back." : "It is your turn.";
  if (state.picture) byId("board").innerHTML = state.picture; // made by the engine's own pictures, in which all text is escaped
  byId("planned").replaceChildren(...state.planned.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  const news = byId("news");
  news.textContent = state.news.join("\n");
  news.scrollTop = news.scrollHeight;
  byId("send").disabled = byId("undo").disabled = !state.planned.length;
  byId("hint").disabled = !state.choices.length;
  byId("resign").disabled = state.over || state.waiting !== false;
  way = [];
  draw();
}

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(`state?after=${state.version}`);
      const now = await answer.json();
      if (now.version > state.version) {
        state = now;
        show();
      }
      if (state.over) {
        await fetch(`state?after=${state.version}`).catch(() => {});
        return;
      }
    } catch {
      if (state.over) return;
      byId("status").textContent = "The program of the match does not answer. Is it still running?";
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

byId("send").addEventListener("click", () => send({ do: "send" }));
byId("undo").addEventListener("click", () => send({ do: "undo" }));
byId("hint").addEventListener("click", () => send({ do: "hint" }));
byId("resign").addEventListener("click", () => { if (confirm("Resign, which is a forfeit?")) send({ do: "resign" }); });
byId("filter").addEventListener("input", () => { way = []; draw(); });
byId("filter-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const left = filtered();
  if (left.length === 1) plan(left[0]);
  else if (!left.length && byId("filter").value.trim()) send({ do: "plan", notation: byId("filter").value.trim() });
});
byId("rules-form").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ do: "rules", words: byId("rules").value.trim() });
});
follow();
