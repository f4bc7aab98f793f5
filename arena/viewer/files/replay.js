"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const LEGIBLE = 400; // the width in pixels from which on a picture can be read
const frames = data.frames;
const views = data.views;
const picture = byId("picture");
const scrubber = byId("scrubber");

// All parts of each frame of a view; one frame shares its entries with the next.
function framesOf(view) {
  let shown = new Map();
  return view.changes.map((changes) => {
    shown = new Map(shown);
    for (const [part, ...values] of changes) values.length ? shown.set(part, values) : shown.delete(part);
    return shown;
  });
}

// Parts are drawn in the order of their layers, then of their ids, as in single pictures.
const order = data.ids.map((id, index) => [id, index]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
const rank = new Map(order.map(([, index], place) => [index, place]));
const turns = [...document.querySelectorAll("#turns li[data-ply]")].map((item) => ({ ply: Number(item.dataset.ply), item }));
let frame = 0, view = 0, speed = 1, timer = 0, addressTimer = 0, layers = [], elements = new Map();

function openView(index) {
  view = index;
  byId("view").selectedIndex = view;
  views[view].frames ??= framesOf(views[view]);
  picture.setAttribute("viewBox", `0 0 640 ${views[view].height}`);
  picture.style.setProperty("--legible", `${(LEGIBLE * views[view].height) / 640}px`);
  const board = document.createElementNS(SVG, "g");
  board.innerHTML = views[view].board;
  layers = [0, 1, 2].map(() => document.createElementNS(SVG, "g"));
  layers[1].setAttribute("class", "pieces"); // they glide; traces and marks do not
  picture.replaceChildren(picture.querySelector("title"), board, ...layers);
  elements = new Map();
}

function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

function insert(element, part, layer) {
  const mine = rank.get(part);
  element.dataset.rank = mine;
  const next = [...layers[layer].children].find((other) => other !== element && Number(other.dataset.rank) > mine) ?? null;
  // Moving an element that is there already keeps its transition, where the browser can do that.
  if (element.isConnected && layers[layer].moveBefore) layers[layer].moveBefore(element, next);
  else layers[layer].insertBefore(element, next);
}

function draw() {
  const now = views[view].frames[frame];
  const free = new Map(); // elements of parts that have gone, by what they look like: a new part of the same look moves one
  for (const [part, element] of elements) {
    if (now.has(part)) continue;
    elements.delete(part);
    const look = `${element.dataset.body}/${element.dataset.layer}`;
    free.get(look)?.remove();
    free.set(look, element);
  }
  for (const [part, [x, y, body, layer]] of now) {
    let element = elements.get(part);
    if (!element) {
      element = free.get(`${body}/${layer}`) ?? document.createElementNS(SVG, "g");
      free.delete(`${body}/${layer}`);
      element.id = data.ids[part];
      element.dataset.layer = layer;
      elements.set(part, element);
      insert(element, part, layer);
    }
    if (element.dataset.body !== String(body)) {
      element.dataset.body = body;
      element.innerHTML = data.bodies[body];
    }
    place(element, x, y);
  }
  for (const element of free.values()) element.remove();
}

function show(to, { keepAddress = false } = {}) {
  frame = Math.max(0, Math.min(frames.length - 1, to));
  draw();
  const now = frames[frame];
  scrubber.value = frame;
  scrubber.setAttribute("aria-valuetext", `Ply ${now.ply}: ${now.text}`);
  describe(now);
  markTurn();
  for (const line of document.querySelectorAll(".now-line")) {
    line.setAttribute("x1", now.ply);
    line.setAttribute("x2", now.ply);
  }
  if (!keepAddress) rememberAddress();
  if (frame === frames.length - 1) stop();
}

function describe(now) {
  const acts = now.used_ms !== undefined;
  byId("piece").innerHTML = acts ? data.badges[now.seat] : "";
  byId("who").textContent = acts ? data.seats[now.seat].name : "";
  byId("what").textContent = now.text;
  byId("trouble").textContent = now.cause ? `${now.cause}. ${now.default}.` : "";
  const how = [`Ply ${now.ply} of ${frames.at(-1).ply}`];
  const times = acts ? [`${milliseconds(now.used_ms)}`, `${milliseconds(now.bank_ms)} left in the bank`] : [];
  if (acts) how.push(now.notation, ...(now.given ? ["given"] : now.untimed ? ["no clock"] : times));
  byId("how").textContent = how.join(" · ");
  byId("expected").textContent = now.evaluation ? expectation(now) : "";
  byId("end").textContent = frame === frames.length - 1 ? data.result : "";
  showDebugLines();
}

// The debug lines of the reader's own bots, if the page was sent with them: [seat, decision, source, text]. Lines of the
// match as a whole belong to the beginning, those of a decision that was never played to the end.
const debugLines = new Map(); // by frame
for (const line of JSON.parse(byId("debug-lines")?.textContent ?? "[]")) {
  const at = line[1] ? frameOfDecision(line[0], line[1]) : 0;
  debugLines.set(at, [...(debugLines.get(at) ?? []), line]);
}

function frameOfDecision(seat, decision) {
  const found = frames.findIndex((each) => each.seat === seat && each.decision === decision);
  return found < 0 ? frames.length - 1 : found;
}

function debugLine(tag, [seat, , source, text]) {
  const element = document.createElement(tag);
  element.className = `debug ${source}`;
  element.dataset.source = `${data.seats[seat].name}, ${source}:`;
  element.textContent = text;
  return element;
}

function addDebugLinesToTurns() {
  for (const [at, lines] of debugLines) {
    const turn = turns.findLast((each) => each.ply <= Math.max(1, frames[at].ply));
    turn?.item.append(...lines.map((line) => debugLine("p", line)));
  }
}

function showDebugLines() {
  const lines = debugLines.get(frame) ?? [];
  byId("debug").hidden = !lines.length;
  byId("debug").replaceChildren(...lines.map((line) => debugLine("li", line)));
}

function expectation({ seat, evaluation }) {
  const expected = evaluation.text ? `${data.seats[seat].name} expects: ${evaluation.text}` : "";
  return [expected, evaluation.line].filter(Boolean).join(" · ");
}

function milliseconds(value) {
  return value < 1000 ? `${Number(value.toFixed(value < 10 ? 1 : 0))} ms` : `${(value / 1000).toFixed(2)} s`;
}

// Browsers limit how often an address may change, so it changes when a step has been shown for a moment. A page inside
// another one, as in a notebook, has no address.
function rememberAddress() {
  clearTimeout(addressTimer);
  if (location.protocol === "about:") return;
  addressTimer = setTimeout(() => {
    const address = `#ply=${frames[frame].ply}${view ? `&view=${view}` : ""}`;
    history.replaceState(null, "", address);
    if (parent !== window) parent.postMessage({ replayAddress: address }, "*"); // for a page that shows this one; no secret
  }, 250);
}

function markTurn() {
  const ply = Math.max(1, frames[frame].ply);
  const current = turns.findLastIndex((turn) => turn.ply <= ply);
  turns.forEach(({ item }, index) => {
    item.classList.toggle("now", index === current);
    if (index === current) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
  });
  const item = turns[current]?.item;
  if (item) {
    const list = byId("turns");
    if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = item.offsetTop - list.clientHeight / 3;
  }
}

function frameOfPly(ply) {
  const found = frames.findLastIndex((each) => each.ply === ply);
  return found < 0 ? frames.length - 1 : frames.findIndex((each) => each.ply === ply);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  document.querySelector('[data-do="play"]').textContent = "Play";
  byId("caption").setAttribute("aria-live", "polite");
}

function play() {
  if (timer) return stop();
  if (frame === frames.length - 1) show(0);
  timer = setInterval(() => show(frame + 1), 900 / speed);
  document.querySelector('[data-do="play"]').textContent = "Pause";
  byId("caption").setAttribute("aria-live", "off"); // a screen reader could not keep up
}

function setSpeed(value) {
  const options = [...byId("speed").options];
  const index = Math.max(0, Math.min(options.length - 1, value));
  byId("speed").selectedIndex = index;
  speed = Number(options[index].value);
  if (timer) { stop(); play(); }
}

function setView(index) {
  openView(index % views.length);
  show(frame);
}

function turnStep(by) {
  const ply = Math.max(1, frames[frame].ply);
  const current = turns.findLastIndex((turn) => turn.ply <= ply);
  const target = turns[Math.max(0, Math.min(turns.length - 1, current + by))];
  if (target) show(frameOfPly(target.ply));
}

// Strikes, and the first default of a seat that has forfeited.
const forfeited = new Set();
const troubles = new Set([...frames.keys()].filter((index) => {
  const each = frames[index];
  if (each.cause !== "FORFEITED") return each.cause;
  return !forfeited.has(each.seat) && forfeited.add(each.seat);
}));

function nextTrouble() {
  const found = [...troubles].find((index) => index > frame);
  if (found !== undefined) show(found);
}

// Of each costly decision the frame in which it is played.
const costly = data.costly.map((each) => frameOfPly(each.ply)).sort((a, b) => a - b);

function nextCostly() {
  const found = costly.find((index) => index > frame) ?? costly[0];
  if (found !== undefined) show(found);
}

const commands = {
  first: () => show(0), back: () => show(frame - 1), next: () => show(frame + 1), last: () => show(frames.length - 1),
  play, help: () => byId("help").showModal(),
};
const keys = {
  ArrowLeft: commands.back, ArrowRight: commands.next, Home: commands.first, End: commands.last, " ": play,
  ArrowUp: () => turnStep(-1), ArrowDown: () => turnStep(1), "?": commands.help, s: nextTrouble, c: nextCostly,
  v: () => setView(view + 1), "+": () => setSpeed(byId("speed").selectedIndex + 1), "=": () => setSpeed(byId("speed").selectedIndex + 1), "-": () => setSpeed(byId("speed").selectedIndex - 1),
};

function drawTicks() {
  const ticks = byId("ticks");
  ticks.setAttribute("viewBox", `0 0 ${Math.max(1, frames.length - 1)} 10`);
  frames.forEach((each, index) => {
    const scored = index && String(each.scores) !== String(frames[index - 1].scores);
    const trouble = troubles.has(index);
    const end = index > 0 && index === frames.length - 1;
    if (!trouble && !scored && !end) return;
    const line = document.createElementNS(SVG, "line");
    line.setAttribute("class", trouble ? "strike" : end ? "over" : "score");
    for (const [name, value] of [["x1", index], ["x2", index], ["y1", trouble || end ? 0 : 4], ["y2", 10]]) line.setAttribute(name, value);
    ticks.append(line);
  });
  for (const index of costly) {
    const mark = document.createElementNS(SVG, "line");
    mark.setAttribute("class", "costly");
    for (const [name, value] of [["x1", index], ["x2", index], ["y1", 0], ["y2", 10]]) mark.setAttribute(name, value);
    ticks.append(mark);
  }
}

function fromHash() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const wanted = Number(asked.get("view") ?? view);
  if (wanted !== view && views[wanted]) openView(wanted);
  const ply = Number(asked.get("ply")), decision = Number(asked.get("decision"));
  if (decision > 0) return frameOfDecision(Number(asked.get("seat")), decision);
  return ply > 0 ? frameOfPly(ply) : 0;
}

scrubber.max = frames.length - 1;
scrubber.addEventListener("input", () => show(Number(scrubber.value)));
byId("controls").addEventListener("click", (event) => commands[event.target.dataset.do]?.());
byId("speed").addEventListener("change", (event) => setSpeed(event.target.selectedIndex));
byId("view").append(...views.map((each, index) => new Option(each.name, index)));
byId("view-choice").hidden = views.length < 2;
byId("view").addEventListener("change", (event) => setView(event.target.selectedIndex));
addEventListener("hashchange", () => show(fromHash(), { keepAddress: true }));
byId("turns").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault(); // inside another page, such as a notebook, the link would open that page
  show(frameOfPly(Number(new URLSearchParams(link.hash.slice(1)).get("ply"))));
});
byId("costly")?.addEventListener("click", (event) => {
  const ply = event.target.closest("a")?.dataset.ply;
  if (!ply) return;
  event.preventDefault();
  show(frameOfPly(Number(ply)));
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || event.target.matches?.("select")) return;
  const command = keys[event.key];
  if (!command || (event.key === " " && event.target.matches?.("button, summary"))) return;
  event.preventDefault();
  command();
});
for (const plot of document.querySelectorAll(".plot")) {
  plot.addEventListener("click", (event) => {
    const box = plot.getBoundingClientRect();
    show(frameOfPly(Math.round(((event.clientX - box.left) / box.width) * frames.at(-1).ply)));
  });
}
addDebugLinesToTurns();
drawTicks();
openView(0);
show(fromHash(), { keepAddress: true });
