"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const frames = data.frames;
const picture = byId("picture");
const scrubber = byId("scrubber");

// Every view as the whole list of its parts, frame by frame; one list shares its entries with the next.
const views = data.views.map((view) => {
  let shown = new Map();
  const all = view.changes.map((changes) => {
    shown = new Map(shown);
    for (const [part, ...values] of changes) values.length ? shown.set(part, values) : shown.delete(part);
    return shown;
  });
  return { ...view, all };
});

// Parts are drawn in the order of their layers, then of their ids, as in single pictures.
const order = data.ids.map((id, index) => [id, index]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
const rank = new Map(order.map(([, index], place) => [index, place]));
let frame = 0, view = 0, speed = 1, timer = 0, layers = [], elements = new Map(), turnItems = [];

function openView(index) {
  view = index;
  picture.setAttribute("viewBox", `0 0 640 ${views[view].height}`);
  const board = document.createElementNS(SVG, "g");
  board.innerHTML = views[view].board;
  layers = [0, 1, 2].map(() => document.createElementNS(SVG, "g"));
  picture.replaceChildren(picture.querySelector("title"), board, ...layers);
  elements = new Map();
}

function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

function insert(element, part, layer) {
  const mine = rank.get(part);
  element.dataset.rank = mine;
  for (const other of layers[layer].children) {
    if (Number(other.dataset.rank) > mine) return layers[layer].insertBefore(element, other);
  }
  return layers[layer].appendChild(element);
}

function draw() {
  const now = views[view].all[frame];
  const free = new Map(); // elements of parts that have gone, by what they look like: a new part of the same look moves one
  for (const [part, element] of elements) {
    if (now.has(part)) continue;
    elements.delete(part);
    free.set(`${element.dataset.body}/${element.dataset.layer}`, element);
    element.remove();
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
}

function show(to, { keepHash = false } = {}) {
  frame = Math.max(0, Math.min(frames.length - 1, to));
  draw();
  const now = frames[frame];
  scrubber.value = frame;
  scrubber.setAttribute("aria-valuetext", `ply ${now.ply}: ${now.text}`);
  const caption = byId("caption");
  caption.replaceChildren(`Ply ${now.ply} of ${frames.at(-1).ply}. `);
  if (now.seat !== undefined && !now.event) caption.append(`${data.seats[now.seat].name}: `);
  caption.append(now.text);
  if (now.used_ms !== undefined) caption.append(` (${Math.round(now.used_ms)} ms)`);
  if (now.cause) {
    const cause = document.createElement("span");
    cause.className = "cause";
    cause.textContent = ` ${now.cause}`;
    caption.append(cause);
  }
  if (frame === frames.length - 1) caption.append(` ${data.result}`);
  markTurn();
  for (const line of document.querySelectorAll(".now-line")) {
    line.setAttribute("x1", now.ply);
    line.setAttribute("x2", now.ply);
  }
  if (!keepHash) history.replaceState(null, "", `#ply=${now.ply}${view ? `&view=${view}` : ""}`);
  if (frame === frames.length - 1) stop();
}

function markTurn() {
  const ply = Math.max(1, frames[frame].ply);
  let current = turnItems.findLastIndex((item) => item.ply <= ply);
  turnItems.forEach((item, index) => item.element.classList.toggle("now", index === current));
  const element = turnItems[current]?.element;
  if (element) {
    const list = byId("turns");
    if (element.offsetTop < list.scrollTop || element.offsetTop + element.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = element.offsetTop - list.clientHeight / 3;
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
}

function play() {
  if (timer) return stop();
  if (frame === frames.length - 1) show(0);
  timer = setInterval(() => show(frame + 1), 900 / speed);
  document.querySelector('[data-do="play"]').textContent = "Pause";
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
  byId("view").selectedIndex = view;
  show(frame);
}

function turnStep(by) {
  const ply = Math.max(1, frames[frame].ply);
  const current = turnItems.findLastIndex((item) => item.ply <= ply);
  const target = turnItems[Math.max(0, Math.min(turnItems.length - 1, current + by))];
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

const commands = {
  first: () => show(0), back: () => show(frame - 1), next: () => show(frame + 1), last: () => show(frames.length - 1),
  play, help: () => byId("help").showModal(),
};
const keys = {
  ArrowLeft: commands.back, ArrowRight: commands.next, Home: commands.first, End: commands.last, " ": play,
  ArrowUp: () => turnStep(-1), ArrowDown: () => turnStep(1), "?": commands.help, s: nextTrouble,
  v: () => setView(view + 1), "+": () => setSpeed(byId("speed").selectedIndex + 1), "-": () => setSpeed(byId("speed").selectedIndex - 1),
};

function listTurns() {
  for (const turn of data.turns) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `#ply=${turn.ply}`;
    link.textContent = turn.heading;
    item.append(link);
    for (const [kind, lines] of [["words", turn.words], ["event", turn.events], ["trouble", turn.troubles]]) {
      for (const line of lines) {
        const text = document.createElement("p");
        text.className = kind;
        text.textContent = line;
        item.append(text);
      }
    }
    byId("turns").append(item);
    if (turn.heading) turnItems.push({ ply: turn.ply, element: item });
  }
}

function drawTicks() {
  const ticks = byId("ticks");
  ticks.setAttribute("viewBox", `0 0 ${Math.max(1, frames.length - 1)} 10`);
  frames.forEach((each, index) => {
    const scored = index && each.scores && frames[index - 1].scores && String(each.scores) !== String(frames[index - 1].scores);
    const trouble = troubles.has(index);
    if (!trouble && !scored) return;
    const line = document.createElementNS(SVG, "line");
    line.setAttribute("class", trouble ? "strike" : "score");
    for (const [name, value] of [["x1", index], ["x2", index], ["y1", trouble ? 0 : 4], ["y2", 10]]) line.setAttribute(name, value);
    ticks.append(line);
  });
}

function fromHash() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const wanted = Number(asked.get("view") ?? view);
  if (wanted !== view && views[wanted]) { openView(wanted); byId("view").selectedIndex = wanted; }
  return asked.has("ply") ? frameOfPly(Number(asked.get("ply"))) : 0;
}

scrubber.max = frames.length - 1;
scrubber.addEventListener("input", () => show(Number(scrubber.value)));
byId("controls").addEventListener("click", (event) => commands[event.target.dataset.do]?.());
byId("speed").addEventListener("change", (event) => setSpeed(event.target.selectedIndex));
byId("view").append(...views.map((each, index) => new Option(each.name, index)));
byId("view-choice").hidden = views.length < 2;
byId("view").addEventListener("change", (event) => setView(event.target.selectedIndex));
addEventListener("hashchange", () => show(fromHash(), { keepHash: true }));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || event.target.matches?.("select")) return;
  const command = keys[event.key];
  if (!command || (event.key === " " && event.target.matches?.("button"))) return;
  event.preventDefault();
  command();
});
for (const graph of document.querySelectorAll("figure svg")) {
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    show(frameOfPly(Math.round(((event.clientX - box.left) / box.width) * frames.at(-1).ply)));
  });
}
listTurns();
drawTicks();
openView(0);
show(fromHash(), { keepHash: true });
