// The page of a person who plays: shows the state that the bot sends, and sends what is chosen.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
let state = { version: 0, choices: [], planned: [], news: [], answer: [], files: [] };
let way = []; // the places that were clicked, as "x,y"
let begun = 0; // 1 if all actions begin at the same place, which is not to be clicked then
let deadline = null; // of the decision, in milliseconds on performance.now()
let lost = false; // whether the program did not answer
let gone = false; // whether the program has ended after the match
let awaited = null; // the step of the state whose answer to a plan, an undo or a send is not here yet
let waiting = []; // what was clicked meanwhile
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
    [awaited, waiting] = [null, []];
    if (state.over) return end();
    lost = true;
    say("Not sent: the program of the match does not answer. Try again when it does.");
    poll.abort();
  }
}

// What changes the plan is done one after the other: what is clicked before the new position is here waits for it.
function change(command) {
  awaited = state.step;
  byId("move").setAttribute("aria-busy", "true");
  byId("board").setAttribute("aria-busy", "true");
  send(command);
}

function whenReady(event, act) {
  if (awaited === null) act();
  else if (!event || event.detail < 2) waiting.push(act); // the second click of a double click is none of its own
}

function isReady() {
  awaited = null;
  for (const part of ["move", "board"]) byId(part).removeAttribute("aria-busy");
  while (waiting.length && awaited === null) waiting.shift()();
}

function filtered() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const having = (textOf) => state.choices.filter((choice) => words.every((word) => textOf(choice).toLowerCase().includes(word)));
  const told = having((choice) => choice.words);
  const found = told.length ? told : having((choice) => `${choice.words} ${choice.notation}`);
  return found.filter((choice) => way.every((spot, index) => wayOf(choice)[index] === spot));
}

const kindOf = (choice) => choice.words.split(" ")[0];

// What scores first, then the rare kinds: a pick-up among a hundred moves is not to be searched for. Passing comes last.
function ordered(choices) {
  const count = new Map();
  for (const choice of choices) count.set(kindOf(choice), (count.get(kindOf(choice)) ?? 0) + 1);
  const rank = (choice) => [choice.gain > 0 ? -choice.gain : 0, /^pass/.test(kindOf(choice)) ? 1 : 0, count.get(kindOf(choice))];
  return [...choices].sort((one, other) => rank(one).map((each, index) => each - rank(other)[index]).find(Boolean) ?? 0);
}

function plan(choice) {
  way = [];
  byId("filter").value = "";
  byId("choices").scrollTop = 0;
  change({ do: "plan", notation: choice.notation });
}

function clickWhenReady(event, spot) {
  const turn = state.turn;
  whenReady(event, () => {
    const isThere = turn === state.turn && (way.includes(spot) || filtered().some((choice) => wayOf(choice)[way.length] === spot));
    if (isThere) return click(spot);
    waiting = [];
    say("Your click came before the new position, where nothing can be done at that place: click again.");
  });
}

function planWhenReady(event, choice) {
  const turn = state.turn;
  whenReady(event, () => {
    const now = turn === state.turn && state.choices.find((each) => each.notation === choice.notation);
    if (now) return plan(now);
    waiting = [];
    say(`Not planned: ${choice.words}. It cannot be done in the new position.`);
  });
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
    clickWhenReady(event, spot.dataset.spot);
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
  const hinted = new Set(state.choices.filter((choice) => choice.notation === state.hint).flatMap(wayOf));
  const places = [...new Set([...way, ...next])];
  const area = (spot) => frame.get(spot)[2] * frame.get(spot)[3];
  for (const spot of [...places].sort((one, other) => area(other) - area(one))) { // what is small lies above
    const [x, y, width, height, corner] = frame.get(spot);
    const group = svg("g", { tabindex: spot === places[0] ? 0 : -1, role: "button", class: ["spot", ...(way.includes(spot) ? ["chosen"] : []), ...(hinted.has(spot) ? ["hinted"] : [])].join(" "), "aria-label": meaning(spot) });
    const title = svg("title", {});
    title.textContent = meaning(spot);
    group.append(title, box("reach", x, y, Math.max(width, REACH), Math.max(height, REACH), 0), box("frame", x, y, width, height, corner));
    group.dataset.spot = spot;
    group.addEventListener("click", (event) => clickWhenReady(event, spot));
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
  const told = choice.note ? `${choice.words} (${choice.note})` : choice.words;
  button.textContent = choice.notation === state.hint ? `Hint: ${told}` : told;
  button.title = choice.notation;
  if (choice.notation === state.hint) button.className = "hinted";
  button.addEventListener("click", (event) => planWhenReady(event, choice));
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
  byId("choices").replaceChildren(...listed([...hinted, ...left.filter((choice) => !hinted.includes(choice))]));
  drawSpots();
  restoreFocus();
}

// The actions as elements, below headings if there are many of several kinds.
function listed(choices) {
  if (choices.length <= 12 || new Set(choices.map(kindOf)).size < 2) return choices.map(listItem);
  const title = (choice) => (choice.notation === state.hint ? "" : choice.gain > 0 ? "scores" : kindOf(choice));
  const count = new Map();
  for (const choice of choices) count.set(title(choice), (count.get(title(choice)) ?? 0) + 1);
  return choices.flatMap((choice, index) => {
    const isFirst = title(choice) && (!index || title(choices[index - 1]) !== title(choice));
    const heading = Object.assign(document.createElement("li"), { className: "kind", textContent: `${title(choice)} (${count.get(title(choice))})` });
    return isFirst ? [heading, listItem(choice)] : [listItem(choice)];
  });
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
  if (state.waiting) return state.picture ? (state.sent ? "Sent. The others act." : "The others act.") : "Waiting for a match.";
  if (way.length) return `${filtered().length} actions begin there: click on the next place or on an action of the list. A second click on a place takes it back.`;
  if (state.outlook) return state.outlook;
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
  showAnswer();
  showEnd();
  if (state.picture) showPicture();
  byId("outlook").hidden = !state.outlook;
  byId("outlook").textContent = state.outlook;
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
    const element = document.createElement(isItem ? "li" : "p");
    element.append(...linked(isItem ? line.slice(2) : line, false));
    if (isItem) found.at(-1).append(element);
    else found.push(element);
  }
  return found;
}

// A text with the numbers of clauses as buttons that show them.
function linked(text, isStop = true) {
  if (!state.clause) return [text];
  return text.split(new RegExp(`\\b(${state.clause}\\d+)\\b`)).map((part, index) => {
    if (index % 2 === 0) return part;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "clause", textContent: part, title: `Show the rule ${part}` });
    button.addEventListener("click", () => ask(part));
    if (!isStop) button.tabIndex = -1; // on the way to the picture; the search finds the rule by its number, too
    return button;
  });
}

function ask(words) {
  byId("rules").value = words;
  send({ do: "rules", words });
}

// What was found in the rules has a place of its own, and begins at its beginning.
function showAnswer() {
  const answer = byId("answer");
  const text = state.answer.join("\n");
  if (answer.dataset.text === text) return;
  answer.dataset.text = text;
  answer.hidden = !text;
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close" });
  close.addEventListener("click", () => { answer.hidden = true; answer.dataset.text = ""; byId("rules").focus(); });
  const found = state.answer.map((line) => {
    const paragraph = document.createElement("p");
    paragraph.append(...linked(line));
    return paragraph;
  });
  answer.replaceChildren(close, ...found);
  answer.scrollTop = 0;
}

// The end of the match: the result, and where the match is kept.
function showEnd() {
  const lines = [state.over, ...state.files, ...(gone ? ["The program of the match has ended: this page stays as it is until you close or reload it."] : [])];
  byId("end").hidden = !state.over;
  byId("end").replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
}

// The program of a match that is over does not run any more: the page keeps what it shows, and asks for nothing.
function end() {
  gone = true;
  say(state.over);
  showEnd();
  for (const part of document.querySelectorAll("#buttons button, #rules, #filter, .clause")) part.disabled = true;
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
    let isThere = false;
    try {
      poll = new AbortController();
      const answer = await fetch(`state?after=${lost ? 0 : state.version}`, { signal: poll.signal });
      if (answer.status === 204) return say("You do not play here any more.");
      isThere = true; // the server of this page, though it may have no news
      const now = await answer.json();
      const isNew = lost || now.version > state.version;
      lost = false;
      if (isNew) {
        if (now.turn !== state.turn || now.planned.length !== state.planned.length) way = [];
        if (now.turn !== state.turn) waiting = waiting.length ? [() => say("Your click came before the new position: click again.")] : [];
        const isFirst = state.version === 0;
        const isAnswer = awaited === null || now.step !== awaited;
        state = now;
        begun = beginAlike(state.choices) ? 1 : 0;
        // The picture comes first where there is little room, and the rules were read before a second decision.
        if (isFirst) byId("short").open = matchMedia("(min-width: 900px)").matches && !(state.turn > 1);
        show();
        if (isAnswer) isReady();
      }
    } catch {
      if (state.over && !isThere) return end();
      if (!lost) say("The program of the match does not answer. Is it still running?");
      lost = true;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

byId("send").addEventListener("click", (event) => whenReady(event, () => {
  if (!state.planned.length) return;
  byId("short").open = false; // it was there to begin with
  change({ do: "send" });
}));
byId("undo").addEventListener("click", (event) => whenReady(event, () => { if (state.planned.length) change({ do: "undo" }); }));
byId("short").addEventListener("toggle", () => { byId("news").scrollTop = byId("news").scrollHeight; });
byId("hint").addEventListener("click", () => send({ do: "hint" }));
byId("resign").addEventListener("click", () => { if (confirm("Resign, which is a forfeit?")) send({ do: "resign" }); });
byId("filter").addEventListener("input", () => { way = []; draw(); });
byId("filter-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (awaited !== null) return say("The last action is being planned: press Enter again.");
  const left = filtered();
  if (left.length === 1) plan(left[0]);
  else if (!left.length && byId("filter").value.trim()) change({ do: "plan", notation: byId("filter").value.trim() });
});
byId("rules-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (matchMedia("(min-width: 900px)").matches) byId("short").open = false; // the answer takes its place
  ask(byId("rules").value.trim());
});
setInterval(tick, 1000);
follow();
