// Shows what the program knows, twice a second; each button is one POST.
const place = id => document.getElementById(id);
const post = (path, body) => fetch(path, { method: "POST", body });

place("search").addEventListener("submit", event => {
  event.preventDefault();
  post("/search", place("term").value.trim().toLowerCase() || "all").then(show);
});

function button(words, path, track) {
  const made = document.createElement("button");
  made.textContent = words;
  made.setAttribute("aria-label", `${words} ${track.trackName} by ${track.artistName}`);
  made.addEventListener("click", () => post(path, JSON.stringify(track)).then(show));
  return made;
}

function text(words, kind) {
  const made = document.createElement("span");
  made.textContent = words;
  if (kind) made.className = kind;
  return made;
}

function how(row) {
  if (row.state === "failed") return `Failed: ${row.reason}`;
  const done = row.percent === undefined ? "" : `${row.percent.toFixed(0)} % of ${row.total}`;
  if (row.state === "pausing") return "Pausing …";
  if (row.state === "paused") return ["Paused", done].filter(Boolean).join(", ");
  return done || row.reason || "Downloading …";
}

function rowOf(row) {
  const { track, state } = row, parts = [text(`${track.trackName} – ${track.artistName}`)];
  if (state === "here") {
    const player = document.createElement("audio");
    player.controls = true;
    player.preload = "metadata";
    player.src = `/songs/${track.previewUrl.split("/").pop()}`;
    player.setAttribute("aria-label", `${track.trackName} by ${track.artistName}`);
    return [...parts, player];
  }
  parts.push(text(how(row), "how"));
  if (state === "running") parts.push(button("Pause", "/pause", track));
  if (state === "paused") parts.push(button("Resume", "/resume", track));
  parts.push(state === "failed" ? button("Download", "/download", track) : button("Cancel", "/cancel", track));
  if (row.percent !== undefined) {
    const bar = document.createElement("progress");
    bar.max = 100;
    bar.value = row.percent;
    bar.setAttribute("aria-label", `${track.trackName} by ${track.artistName}`);
    parts.push(bar);
  }
  return parts;
}

// A line is made anew only when its words change, so that a player goes on and a button keeps its focus.
const lines = new Map();
function list(id, items) {
  const shown = items.map(({ key, look, parts }) => {
    const name = `${id} ${key}`, old = lines.get(name);
    if (old && old.look === look) return old.line;
    const line = document.createElement("li");
    line.append(...parts());
    const focused = old && old.line.contains(document.activeElement);
    lines.set(name, { look, line });
    if (focused) queueMicrotask(() => line.querySelector("button")?.focus());
    return line;
  });
  const there = place(id);
  if (shown.length !== there.children.length || shown.some((line, at) => there.children[at] !== line)) {
    there.replaceChildren(...shown);
  }
}

async function show() {
  let state;
  try {
    state = await (await fetch("/state")).json();
  } catch {
    place("message").textContent = "The program does not answer.";
    return;
  }
  if (place("message").textContent !== state.message) place("message").textContent = state.message;
  const known = new Set(state.rows.map(row => row.track.previewUrl));
  list("found", state.found.map(track => ({
    key: track.previewUrl, look: known.has(track.previewUrl), parts: () => [
      text(`${track.trackName} – ${track.artistName}`),
      ...(known.has(track.previewUrl) ? [] : [button("Download", "/download", track), button("Tonight", "/tonight", track)])],
  })));
  const rows = state.rows.map(row => ({
    isTonight: row.isTonight, key: row.track.previewUrl, look: row.state + how(row), parts: () => rowOf(row) }));
  list("songs", rows.filter(row => !row.isTonight));
  list("tonight", rows.filter(row => row.isTonight));
}

setInterval(show, 500);
show();
