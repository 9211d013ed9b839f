// Codes that a phone's camera reads, by the library of Debian's node-qrcode-generator.

const drawing = "http://www.w3.org/2000/svg";
// Light squares around a code, without which a camera does not find it.
const margin = 4;

let library;

/** The library is no module: it gives itself to an AMD loader. */
async function load() {
  let made;
  const define = (_, factory) => (made = factory());
  define.amd = true;
  globalThis.define = define;
  try {
    await import("./qrcode.js");
  } finally {
    delete globalThis.define;
  }
  return made;
}

/** Draws a text of ASCII as a code, with a name for who does not see it. */
export async function drawCode(text, name) {
  const code = (await (library ??= load()))(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const places = [...Array(size).keys()];
  const squares = places.flatMap((y) => places.filter((x) => code.isDark(y, x)).map((x) => `M${x + margin},${y + margin}h1v1h-1z`));
  const drawn = document.createElementNS(drawing, "svg");
  drawn.setAttribute("class", "code");
  drawn.setAttribute("viewBox", `0 0 ${size + 2 * margin} ${size + 2 * margin}`);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", name);
  const path = document.createElementNS(drawing, "path");
  path.setAttribute("d", squares.join(""));
  drawn.append(path);
  return drawn;
}
