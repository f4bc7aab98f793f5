// The page of a person who plays: shows the state that the bot sends, and sends what is chosen.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
let state = { version: 0, choices: [], planned: [], news: [] };
let way = []; // the places that were clicked, as "x,y"
let deadline = null; // of the decision, in milliseconds on performance.now()
let lost = false; // whether the program did not answer
let poll = new AbortController(); // ends the request for the next state
let used = ""; // the part of the page that had the focus: what is focused there may be replaced

const key = ([x, y]) => `${x},${y}`;
const wayOf = (choice) => choice.spots.map(key);

function say(sentence) {
  if (byId("status").textContent !== sentence) byId("status").textContent = sentence;
}

const csrf = document.querySelector("meta[name=csrf]")?.content ?? ""; // from the web pages of an arena, which ask for it

async function send(command) {
  try {
    const answer = await fetch("do", { method: "POST", headers: { "content-type": "application/json", "x-csrf": csrf }, body: JSON.stringify({ ...command, turn: state.turn }) });
    if (!answer.ok) throw new Error(answer.statusText);
  } catch {
    lost = true;
    say("Not sent: the program of the match does not answer. Try again when it does.");
    poll.abort();
  }
}

function filtered() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const having = (textOf) => state.choices.filter((choice) => words.every((word) => textOf(choice).toLowerCase().includes(word)));
  const told = having((choice) => choice.words);
  const found = told.length ? told : having((choice) => `${choice.words} ${choice.notation}`);
  return found.filter((choice) => way.every((spot, index) => wayOf(choice)[index] === spot));
}

// The rare kinds first: a pick-up among a hundred moves is not to be searched for.
function ordered(choices) {
  const kind = (choice) => choice.words.split(" ")[0];
  const count = new Map();
  for (const choice of choices) count.set(kind(choice), (count.get(kind(choice)) ?? 0) + 1);
  return [...choices].sort((one, other) => count.get(kind(one)) - count.get(kind(other)));
}

function plan(choice) {
  way = [];
  byId("filter").value = "";
  byId("choices").scrollTop = 0;
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

// What a click on a place leads to, in words: the action, or what all actions begin with.
function meaning(spot) {
  if (way.includes(spot)) return "chosen; click to choose again";
  const words = filtered().filter((choice) => wayOf(choice)[way.length] === spot).map((choice) => choice.words);
  if (words.length === 1) return words[0];
  const first = words[0].split(" ");
  const same = first.findIndex((word, index) => words.some((each) => each.split(" ")[index] !== word));
  return `${first.slice(0, same < 0 ? first.length : same).join(" ")} ... (${words.length} actions)`.trim();
}

// The place that lies in the direction of an arrow key, if there is one.
function neighbour(spot, arrow) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[arrow];
  const [x, y] = spot.dataset.spot.split(",").map(Number);
  let nearest = null;
  let least = Infinity;
  for (const other of document.querySelectorAll(".spot")) {
    const [u, v] = other.dataset.spot.split(",").map(Number);
    const along = (u - x) * dx + (v - y) * dy;
    const far = along + 2 * Math.abs((u - x) * dy + (v - y) * dx);
    if (along > 0 && far < least) [nearest, least] = [other, far];
  }
  return nearest;
}

function focusSpot(spot) {
  for (const each of document.querySelectorAll(".spot")) each.setAttribute("tabindex", each === spot ? 0 : -1);
  spot.focus({ preventScroll: true });
}

function pressed(event, spot) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    click(spot.dataset.spot);
  } else if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    const next = neighbour(spot, event.key);
    if (next) focusSpot(next);
  }
}

function drawSpots() {
  const picture = byId("board").querySelector("svg");
  if (!picture) return;
  picture.setAttribute("role", "group"); // it has buttons
  for (const spot of picture.querySelectorAll(".spot")) spot.remove();
  const next = new Set(filtered().map((choice) => wayOf(choice)[way.length]).filter(Boolean));
  let first = true;
  for (const spot of new Set([...way, ...next])) {
    const [x, y] = spot.split(",");
    const circle = document.createElementNS(SVG, "circle");
    for (const [name, value] of [["cx", x], ["cy", y], ["r", 22], ["tabindex", first ? 0 : -1], ["role", "button"]]) circle.setAttribute(name, value);
    circle.setAttribute("class", way.includes(spot) ? "spot chosen" : "spot");
    circle.setAttribute("aria-label", meaning(spot));
    circle.append(Object.assign(document.createElementNS(SVG, "title"), { textContent: meaning(spot) }));
    circle.dataset.spot = spot;
    circle.addEventListener("click", () => click(spot));
    circle.addEventListener("keydown", (event) => pressed(event, circle));
    picture.append(circle);
    first = false;
  }
}

function listItem(choice) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = choice.notation === state.hint ? `Hint: ${choice.words}` : choice.words;
  button.title = choice.notation;
  if (choice.notation === state.hint) button.className = "hinted";
  button.addEventListener("click", () => plan(choice));
  item.append(button);
  return item;
}

function draw() {
  const left = ordered(filtered());
  const hinted = left.filter((choice) => choice.notation === state.hint);
  byId("count").textContent = state.choices.length ? `${left.length} of ${state.choices.length} legal actions` : "";
  byId("choices").replaceChildren(...[...hinted, ...left.filter((choice) => !hinted.includes(choice))].map(listItem));
  drawSpots();
  restoreFocus();
}

// Focus what took the place of what had the focus, so that the keyboard stays where it was.
function restoreFocus() {
  if (!used || document.activeElement !== document.body) return;
  const { spots, choices } = { spots: document.querySelector(".spot:not(.chosen)"), choices: byId("choices").querySelector("button") };
  const send = byId("send").disabled ? null : byId("send");
  const target = used === "spots" ? spots || send : used === "choices" ? choices || send : send || spots || choices;
  if (target) target.focus({ preventScroll: true });
}

document.addEventListener("focusin", (event) => {
  const found = event.target.closest("#board, #choices, #buttons");
  used = found ? { board: "spots", choices: "choices", buttons: "buttons" }[found.id] : "";
});

function what() {
  if (state.over) return state.over;
  if (state.waiting) return state.picture ? "The others act." : "Waiting for a match.";
  if (state.planned.length) return state.open ? "Plan another action, or send your plan." : "Send your plan, or take it back.";
  return "It is your turn: click on a circle of the picture or on an action of the list, and then on Send.";
}

function show() {
  say(what());
  document.title = `${state.over ? "Over" : state.waiting ? "Waiting" : "Your turn"} · Play by hand · Caravan Arena`;
  deadline = state.time_left_s === null || state.time_left_s === undefined ? null : performance.now() + 1000 * state.time_left_s;
  tick();
  byId("short").hidden = !state.short;
  byId("short").querySelector("p").textContent = state.short;
  if (state.picture) byId("board").innerHTML = state.picture; // made by the engine's own pictures, in which all text is escaped
  byId("planned").replaceChildren(...state.planned.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  const news = byId("news");
  const text = state.news.join("\n");
  if (news.textContent !== text) {
    news.textContent = text;
    news.scrollTop = news.scrollHeight;
  }
  byId("send").disabled = byId("undo").disabled = !state.planned.length;
  byId("hint").disabled = !state.choices.length;
  byId("resign").disabled = Boolean(state.over) || state.waiting;
  draw();
}

function tick() {
  const clock = byId("clock");
  clock.hidden = deadline === null;
  if (deadline === null) return;
  const seconds = Math.max(0, Math.round((deadline - performance.now()) / 1000));
  clock.textContent = `Time left: ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clock.className = seconds <= 10 ? "late" : "";
}

async function follow() {
  for (;;) {
    try {
      poll = new AbortController();
      const answer = await fetch(`state?after=${lost ? 0 : state.version}`, { signal: poll.signal });
      if (answer.status === 204) return say("You do not play here any more.");
      const now = await answer.json();
      if (lost || now.version > state.version) {
        if (now.turn !== state.turn || now.planned.length !== state.planned.length) way = [];
        state = now;
        show();
      }
      lost = false;
    } catch {
      if (state.over) return;
      if (!lost) say("The program of the match does not answer. Is it still running?");
      lost = true;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

byId("send").addEventListener("click", () => {
  byId("short").open = false; // it was there to begin with
  send({ do: "send" });
});
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
setInterval(tick, 1000);
follow();
