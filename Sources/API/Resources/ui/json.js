// Where the members of a JSON text stand, and how two texts differ by lines.

/** A text that is no JSON: where the first character stands that does not fit. */
export class Misplaced extends Error {
  constructor(offset, words) {
    super();
    const before = words.slice(0, offset).split("\n");
    Object.assign(this, { offset, line: before.length, column: before.at(-1).length + 1 });
  }
}

const token = /\s*([[\]{},:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** The places of all values of a JSON text by their JSON Pointers, as `[begin, end]`. Throws `Misplaced`. */
export function places(words) {
  const found = new Map();
  let at = 0;
  let next = read();

  function read() {
    token.lastIndex = at;
    const [all, sign] = token.exec(words) ?? [/\s*/y.exec(words.slice(at))[0], ""];
    return { begin: at + all.length - sign.length, end: at + all.length, sign };
  }

  function take(...signs) {
    const taken = next;
    if (!signs.includes(taken.sign)) throw new Misplaced(taken.begin, words);
    at = taken.end;
    next = read();
    return taken;
  }

  function value(pointer) {
    if (!next.sign || "]},:".includes(next.sign)) throw new Misplaced(next.begin, words);
    const { begin, end, sign } = take(next.sign);
    found.set(pointer, [begin, end]);
    const close = { "{": "}", "[": "]" }[sign];
    if (!close) return;
    for (let place = 0; next.sign !== close || place; place += 1) {
      let key = String(place);
      if (sign === "{") {
        if (next.sign[0] !== '"') throw new Misplaced(next.begin, words);
        key = JSON.parse(take(next.sign).sign).replaceAll("~", "~0").replaceAll("/", "~1");
        take(":");
      }
      value(`${pointer}/${key}`);
      if (next.sign === close) break;
      take(",", close);
    }
    found.set(pointer, [begin, take(close).end]);
  }

  value("");
  if (next.begin < words.length) throw new Misplaced(next.begin, words);
  return found;
}

/** The place of a pointer such as `#/rules/0`, or of the nearest value that holds it. */
export function placeOf(found, pointer) {
  let path = pointer.replace(/^#/, "");
  while (path && !found.has(path)) path = path.slice(0, path.lastIndexOf("/"));
  return found.get(path);
}

/** How lines differ: `[mark, line]` in order, with the marks ` `, `−` and `+`; null if there are too many. */
export function differences(before, after) {
  const width = after.length + 1;
  if (before.length * width > 4e6) return null;
  const common = new Uint16Array((before.length + 1) * width); // The longest common part of what follows two places.
  const of = (i, j) => common[i * width + j];
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = before[i] === after[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1));
    }
  }
  const lines = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    if (i < before.length && before[i] === after[j]) {
      lines.push([" ", before[i++]]);
      j += 1;
    } else if (j === after.length || (i < before.length && of(i + 1, j) >= of(i, j + 1))) lines.push(["−", before[i++]]);
    else lines.push(["+", after[j++]]);
  }
  return lines;
}
