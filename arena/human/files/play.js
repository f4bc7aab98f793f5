// The page of a person who plays: shows the state that the bot sends, and sends what is chosen.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
let state = { version: 0, choices: [], planned: [], news: [] };
let way = []; // the places that were clicked, as "x,y"
let begun = 0; // 1 if all actions begin at the same place, which is not to be clicked then
let deadline = null; // of the decision, in milliseconds on performance.now()
let lost = false; // whether the program did not answer
let poll = new AbortController(); // ends the request for the next state
let used = ""; // the part of the page that had the focus: what is focused there may be replaced

const key = ([x, y]) => `${x},${y}`;
const REACH = 44; // width and height, in units of the picture, that a click on a place has at least
const wayOf = (choice) => choice.spots.slice(begun).map(key);

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

// What a click on a place leads to, in words: the actions, or what all of them begin with if they are many.
function meaning(spot) {
  if (way.includes(spot)) return "chosen; click to choose again";
  const words = filtered().filter((choice) => wayOf(choice)[way.length] === spot).map((choice) => choice.words);
  if (words.length <= 3) return words.join(", or ");
  const first = words[0].split(" ");
  const same = first.findIndex((word, index) => words.some((each) => each.split(" ")[index] !== word));
  return `${first.slice(0, same < 0 ? first.length : same).join(" ")} ... (${words.length} actions)`.trim();
}

// Whether all actions that have a place lead from the same one to others.
function beginAlike(choices) {
  const placed = choices.filter((choice) => choice.spots.length);
  return placed.length > 1 && placed.every((choice) => choice.spots.length > 1 && key(choice.spots[0]) === key(placed[0].spots[0]));
}

// The frames of all places, by key. A place is [x, y, width, height, radius of the corners].
function frames() {
  return new Map(state.choices.flatMap((choice) => choice.spots).map((spot) => [key(spot), spot]));
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
  const frame = frames();
  const places = [...new Set([...way, ...next])];
  const area = (spot) => frame.get(spot)[2] * frame.get(spot)[3];
  for (const spot of [...places].sort((one, other) => area(other) - area(one))) { // what is small lies above
    const [x, y, width, height, corner] = frame.get(spot);
    const group = svg("g", { tabindex: spot === places[0] ? 0 : -1, role: "button", class: way.includes(spot) ? "spot chosen" : "spot", "aria-label": meaning(spot) });
    const title = svg("title", {});
    title.textContent = meaning(spot);
    group.append(title, box("reach", x, y, Math.max(width, REACH), Math.max(height, REACH), 0), box("frame", x, y, width, height, corner));
    group.dataset.spot = spot;
    group.addEventListener("click", () => click(spot));
    group.addEventListener("keydown", (event) => pressed(event, group));
    picture.append(group);
  }
}

function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

function box(kind, x, y, width, height, corner) {
  return svg("rect", { class: kind, x: x - width / 2, y: y - height / 2, width, height, rx: corner });
}

// Show on the picture where an action of the list happens.
function point(choice) {
  for (const spot of document.querySelectorAll(".spot")) spot.classList.toggle("pointed", choice !== null && wayOf(choice).includes(spot.dataset.spot));
}

function listItem(choice) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = choice.notation === state.hint ? `Hint: ${choice.words}` : choice.words;
  button.title = choice.notation;
  if (choice.notation === state.hint) button.className = "hinted";
  button.addEventListener("click", () => plan(choice));
  for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => point(choice));
  for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => point(null));
  item.append(button);
  return item;
}

function draw() {
  const left = ordered(filtered());
  const hinted = left.filter((choice) => choice.notation === state.hint);
  byId("count").textContent = state.choices.length ? `${left.length} of ${state.choices.length} legal actions` : "";
  if (!lost) say(what());
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
  if (way.length) return `${filtered().length} actions begin there: click on the next place or on an action of the list. A second click on a place takes it back.`;
  if (state.planned.length) return state.open ? "Plan another action, or send your plan." : "Send your plan, or take it back.";
  const where = state.choices.some((choice) => choice.spots.length) ? "a dotted place of the picture or on an action of the list" : "an action of the list";
  return `It is your turn: click on ${where}, then on Send.`;
}

function show() {
  document.title = `${state.over ? "Over" : state.waiting ? "Waiting" : "Your turn"} · Play by hand · Caravan Arena`;
  deadline = state.time_left_s === null || state.time_left_s === undefined ? null : performance.now() + 1000 * state.time_left_s;
  tick();
  byId("short").hidden = !state.short;
  byId("short").querySelector("div").replaceChildren(...paragraphs(state.short));
  if (state.picture) showPicture();
  byId("planned").replaceChildren(...state.planned.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  showNews();
  byId("send").disabled = byId("undo").disabled = !state.planned.length;
  byId("hint").disabled = !state.choices.length;
  byId("resign").disabled = Boolean(state.over) || state.waiting;
  draw();
}

// Lines as elements: those that begin with a dash are a list.
function paragraphs(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const isItem = line.startsWith("- ");
    if (isItem && found.at(-1)?.tagName !== "UL") found.push(document.createElement("ul"));
    const element = Object.assign(document.createElement(isItem ? "li" : "p"), { textContent: isItem ? line.slice(2) : line });
    if (isItem) found.at(-1).append(element);
    else found.push(element);
  }
  return found;
}

function showPicture() {
  byId("board").innerHTML = state.picture; // made by the engine's own pictures, in which all text is escaped
  const { width, height } = byId("board").querySelector("svg").viewBox.baseVal;
  document.documentElement.style.setProperty("--ratio", width / height);
}

function showNews() {
  const news = byId("news");
  const text = state.news.join("\n");
  if (news.dataset.text === text) return;
  news.dataset.text = text;
  news.replaceChildren(...state.news.map((line) => Object.assign(document.createElement("p"), { textContent: line.trim(), className: line.startsWith(" ") ? "detail" : "" })));
  news.scrollTop = news.scrollHeight;
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
      const isNew = lost || now.version > state.version;
      lost = false;
      if (isNew) {
        if (now.turn !== state.turn || now.planned.length !== state.planned.length) way = [];
        const isFirst = state.version === 0;
        state = now;
        begun = beginAlike(state.choices) ? 1 : 0;
        // The picture comes first where there is little room, and the rules were read before a second decision.
        if (isFirst) byId("short").open = matchMedia("(min-width: 900px)").matches && !(state.turn > 1);
        show();
      }
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
