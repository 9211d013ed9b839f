// Elements, icons, times and short messages. Texts become text nodes, and never markup.

const refused = /^(on|style$|src|href|formaction|inner|outer)/i;

/** Makes an element: `h("button.quiet", { type: "button", onclick }, "Text", child)`. */
export function h(kind, properties, ...children) {
  const [name, ...classes] = kind.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function" && key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (refused.test(key)) throw new TypeError(`${key} is not set here`);
    else if (key === "value" || key === "checked" || key === "disabled") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

/** A text of an app, in whichever direction its letters run. */
export const words = (kind, text, properties) => h(kind, { dir: "auto", ...properties }, text);

const paths = {
  bell: "M12 3a1.2 1.2 0 0 1 1.2 1.2v.6A5.5 5.5 0 0 1 17.5 10v4l1.5 2.5H5L6.5 14v-4a5.5 5.5 0 0 1 4.3-5.2v-.6A1.2 1.2 0 0 1 12 3zM9.8 18.5h4.4a2.2 2.2 0 0 1-4.4 0z",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  clock: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM12 8v4.3l2.8 1.7",
  lock: "M7.5 11V8.5a4.5 4.5 0 0 1 9 0V11M6 11h12v8H6z",
  unlock: "M7.5 11V8.5a4.5 4.5 0 0 1 8.7-1.6M6 11h12v8H6z",
  eye: "M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  sound: "M5 9.5v5h3l4 3.5V6L8 9.5zM15.5 9a4 4 0 0 1 0 6M17.8 6.8a7 7 0 0 1 0 10.4",
  silent: "M5 9.5v5h3l4 3.5V6L8 9.5zM15.5 9.5l5 5M20.5 9.5l-5 5",
  help: "M9 9.3a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2M12 17.2v.2",
  out: "M14 5H6v14h8M10 12h10M17 9l3 3-3 3",
  play: "M8 6l10 6-10 6z", pause: "M8 6v12M16 6v12",
  moon: "M18.5 14.5A7.5 7.5 0 0 1 9.5 5.5a7.5 7.5 0 1 0 9 9z",
  down: "M6 9.5l6 6 6-6",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const made = document.createElementNS(space, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", `icon ${name}`);
  made.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", paths[name]);
  made.append(line);
  return made;
}

/** A button with a picture, whose name is what it does. */
export const iconButton = (name, says, onclick, properties) =>
  h("button.round", { type: "button", title: says, "aria-label": says, onclick, ...properties }, icon(name));

export const button = (text, onclick, kind = "", properties) =>
  h(`button${kind && `.${kind}`}`, { type: "button", onclick, ...properties }, text);

/* Times */

const minute = 60_000;
const day = 24 * 60 * minute;
let ahead = 0;

/** Tells by how much the server's clock is ahead of the browser's. */
export function setNow(now) {
  ahead = now - Date.now();
}

export const now = () => new Date(Date.now() + ahead);

const clockTime = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

export const timeOfDay = (instant) => clockTime.format(instant);

/** An instant as a list has it: short, and shorter the nearer it is. */
export function near(instant) {
  const past = now() - instant;
  if (Math.abs(past) < minute) return past >= 0 ? "now" : "soon";
  if (past > 0 && past < 60 * minute) return relative.format(-Math.floor(past / minute), "minute");
  const days = Math.round((startOfDay(instant) - startOfDay(now())) / day);
  if (days === 0) return clockTime.format(instant);
  if (Math.abs(days) === 1) return `${relative.format(days, "day")}, ${clockTime.format(instant)}`;
  return Math.abs(days) < 7 ? weekday.format(instant) : date.format(instant);
}

export function startOfDay(instant) {
  const start = new Date(instant);
  start.setHours(0, 0, 0, 0);
  return start;
}

/** An element that says when, and goes on saying it right. */
export function time(instant, format = near) {
  const made = h("time", { datetime: instant.toISOString(), title: whole.format(instant) }, format(instant));
  if (format === near) made.dataset.near = instant.getTime();
  return made;
}

setInterval(() => {
  for (const shown of document.querySelectorAll("time[data-near]")) {
    const text = near(new Date(Number(shown.dataset.near)));
    if (shown.textContent !== text) shown.textContent = text;
  }
}, 15_000);

export function span(seconds) {
  const parts = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
  const [unit, size] = parts.find(([, size]) => Math.abs(seconds) >= size) ?? parts[3];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/* Messages */

/** Says something to who cannot see the page. */
export function tell(text) {
  const place = document.getElementById("told");
  // The same text again is told again.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message for some seconds, with a button where there is something to do about it. */
export function toast(text, { action, onaction, seconds = 5, isError = false } = {}) {
  const shown = h(isError ? "div.toast.error" : "div.toast", { role: isError ? "alert" : "status" },
    words("span", text), action && button(action, () => (leave(), onaction()), "plain"));
  const places = document.getElementById("toasts");
  const leave = () => (clearTimeout(timer), shown.remove());
  const timer = setTimeout(leave, seconds * 1000);
  // The newest popover is over a dialog too.
  while (places.children.length > 2) places.firstChild.remove();
  places.append(shown);
  if (places.matches(":popover-open")) places.hidePopover();
  places.showPopover();
  return leave;
}

export const failed = (error) => toast(error.message ?? String(error), { isError: true, seconds: 8 });

/** Does something that a press asks for, and says so where it fails. */
export const attempt = (work) => async (event) => {
  try {
    return await work(event);
  } catch (error) {
    failed(error);
  }
};

/** A window over the page, which closes with escape. */
export function dialog(label, contents, { onclose, kind = "" } = {}) {
  const made = h(`dialog${kind && `.${kind}`}`, { "aria-label": label }, contents);
  made.addEventListener("close", () => (made.remove(), onclose?.()));
  made.addEventListener("click", (event) => event.target === made && made.close());
  document.body.append(made);
  made.showModal();
  return made;
}
