// The page: who is signed in, which device and which view are shown, and the keys.

import { attempt, button, dialog, failed, h, icon, iconButton, setNow, span, near, toast, words } from "./dom.js";
import { client as connect, signIn, signOut, takeLink, takeWanted } from "./session.js";
import { DeviceModel } from "./device.js";
import { CenterView, keys } from "./center.js";
import { Sounds } from "./sounds.js";

const page = document.getElementById("page");
const views = {
  center: { name: "Notifications", make: () => new CenterView(context.model) },
  upcoming: { name: "Upcoming", mayBe: "isScheduler", make: async () => new (await import("./upcoming.js")).UpcomingView(context) },
  history: { name: "History", make: async () => new (await import("./history.js")).HistoryView(context) },
  settings: { name: "Settings", make: async () => new (await import("./settings.js")).SettingsView(context) },
  operator: { name: "Server", mayBe: "isAdmin", make: async () => new (await import("./operator.js")).OperatorView(context) },
};
const isAllowed = ({ mayBe }) => !mayBe || context[mayBe];
const remembered = { device: "belfry.device", sounds: "belfry.sounds" };

let context;

async function start() {
  const { code, device } = takeLink();
  if (device !== undefined) localStorage.setItem(remembered.device, device);
  if (code) {
    try {
      await signIn(code);
    } catch (error) {
      return showSignIn("The link has been used, or is too old: “belfry open” prints another.");
    }
  }
  const client = connect();
  try {
    const info = await client.call("belfry.v1.ServerService/GetServerInfo", {}, { timeout: 20_000 });
    if (info.clock?.now) setNow(info.clock.now);
    await open(client, info);
  } catch (error) {
    if (error.code !== "UNAUTHENTICATED") return showProblem(error);
    showSignIn();
  }
}

function showSignIn(why) {
  const field = h("input", { type: "password", autocomplete: "off", spellcheck: "false", "aria-label": "Token", placeholder: "Token", required: true });
  const problem = h("p.problem", { role: "alert", hidden: !why }, why ?? "");
  const submit = h("button.primary", { type: "submit" }, "Sign in");
  const form = h("form.signin", {
    onsubmit: async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        await signIn(field.value.trim());
        location.reload();
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
        submit.disabled = false;
        field.select();
      }
    },
  }, h("span.mark", {}, icon("bell")), h("h1", {}, "Sign in to Belfry"),
  h("p.dim", {}, "On the server’s machine, ", h("code", {}, "belfry open"), " prints a link that signs you in."),
  problem, field, submit);
  page.replaceChildren(h("main.alone", { id: "main" }, form));
  field.focus();
}

function showProblem(error) {
  page.replaceChildren(h("main.alone", { id: "main" }, h("div.signin", {}, h("span.mark", {}, icon("bell")),
    h("h1", {}, error.isUnreachable || error.code === "UNAVAILABLE" ? "The server does not answer" : "That did not work"),
    words("p.dim", error.message), button("Try again", () => location.reload(), "primary"))));
}

/** What a caller may call: a refusal because of the role is an answer too. */
async function may(call) {
  try {
    await call();
    return true;
  } catch (error) {
    if (error.code === "PERMISSION_DENIED") return false;
    if (error.code === "UNAUTHENTICATED") throw error;
    return true;
  }
}

async function open(client, info) {
  const device = localStorage.getItem(remembered.device) ?? "";
  const isAdmin = await may(() => client.call("belfry.v1.AdminService/GetClock"));
  const isDevice = isAdmin || await may(() => client.call("belfry.v1.DeviceService/GetDeviceState", { deviceId: device }));
  const anyApp = { center: { appId: "org.belfry.cli", deviceId: device } };
  const isScheduler = isAdmin || await may(() => client.call("belfry.v1.NotificationCenterService/ListUpcoming", anyApp));
  context = { client, info, isAdmin, isScheduler, device };
  if (!isDevice) return showDevice("Your token is not for this device.");
  if (isAdmin) import("./operator.js").then(({ Meter }) => (context.meter ??= new Meter(client)));
  const model = new DeviceModel(client, device);
  context.model = model;
  const sounds = new Sounds(model, localStorage.getItem(remembered.sounds) !== "off");
  context.sounds = sounds;
  model.addEventListener("change", drawState);
  page.replaceChildren(bar(), h("div.strip", { id: "strip", role: "status" }), h("div", { id: "view" }));
  const showNamed = attempt(async () => {
    const wanted = takeWanted();
    await show(location.hash.slice(1));
    if (wanted) shown.reveal(wanted);
  });
  await showNamed();
  addEventListener("hashchange", showNamed);
  addEventListener("keydown", press);
  drawState();
  if (globalThis.Notification?.permission === "granted") import("./push.js").then(({ refresh }) => refresh(model)).catch(failed);
}

function showDevice(why) {
  const field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": "Device", placeholder: "local", maxlength: "128", value: context.device });
  page.replaceChildren(h("main.alone", { id: "main" }, h("form.signin", {
    onsubmit: (event) => {
      event.preventDefault();
      localStorage.setItem(remembered.device, field.value.trim());
      location.reload();
    },
  }, h("span.mark", {}, icon("bell")), h("h1", {}, "Which device is yours?"), h("p.dim", {}, why), field,
  h("button.primary", { type: "submit" }, "Show it"), button("Sign out", leave, "plain"))));
}

const leave = attempt(async () => {
  if (context?.model && globalThis.Notification?.permission === "granted") {
    await import("./push.js").then(({ turnOff }) => turnOff(context.model)).catch(failed);
  }
  await signOut();
  location.reload();
});

/* The bar */

function bar() {
  const links = Object.entries(views)
    .filter(([, view]) => isAllowed(view))
    .map(([id, view]) => {
      const link = h("a", { "data-view": id }, view.name);
      link.href = id === "center" ? "#" : `#${id}`;
      return link;
    });
  const lock = iconButton("unlock", "Lock", attempt(() => context.model.update({ locked: !context.model.state.locked })), { id: "lock" });
  const sound = iconButton("sound", "Sounds", () => {
    context.sounds.isOn = !context.sounds.isOn;
    localStorage.setItem(remembered.sounds, context.sounds.isOn ? "on" : "off");
    drawState();
  }, { id: "sound" });
  return h("header.bar", {}, h("span.mark", {}, icon("bell")),
    h("nav", { "aria-label": "Views" }, links.length > 1 ? links : h("span.title", {}, "Belfry")),
    h("span.tools", {}, h("span.device", { id: "device", title: "Device" }), sound, lock,
      iconButton("help", "Keys", showKeys), iconButton("out", "Sign out", leave)));
}

function drawState() {
  const { model, sounds } = context;
  const strip = document.getElementById("strip");
  if (!strip) return;
  const { locked, muted, activeFocus } = model.state;
  const set = (id, name, says, isOn) => {
    const made = document.getElementById(id);
    if (made.title === says) return;
    made.title = says;
    made.setAttribute("aria-label", says);
    made.setAttribute("aria-pressed", String(isOn));
    made.replaceChildren(icon(name));
  };
  set("lock", locked ? "lock" : "unlock", locked ? "Unlock" : "Lock", Boolean(locked));
  set("sound", sounds.isOn ? "sound" : "silent", sounds.isOn ? "Turn sounds off" : "Turn sounds on", sounds.isOn);
  document.getElementById("device").textContent = model.id && model.id !== "local" ? model.id : "";
  if (model.connection === "refused") {
    if (model.problem.code === "UNAUTHENTICATED") return showSignIn("You were signed out.");
    return showProblem(model.problem);
  }
  const says = [];
  if (model.connection === "away") says.push(["away", "The server does not answer. Trying again …"]);
  if (locked) says.push(["lock", "Locked"]);
  if (activeFocus) {
    const until = activeFocus.until ? ` until ${near(activeFocus.until)}` : "";
    says.push(["moon", `${activeFocus.name || "Focus"}${until}`]);
  }
  if (muted) says.push(["silent", "Muted"]);
  const sign = JSON.stringify(says);
  if (strip.dataset.sign !== sign) {
    strip.dataset.sign = sign;
    strip.replaceChildren(...says.map(([kind, text]) =>
      h(`span.chip.${kind}`, {}, kind !== "away" && icon(kind), words("bdi", text))));
  }
  document.body.classList.toggle("locked", Boolean(locked));
  drawBadge(model.badge);
}

let drawnBadge;
function drawBadge(badge) {
  document.title = badge ? `(${badge}) Belfry` : "Belfry";
  if (drawnBadge === Boolean(badge)) return;
  drawnBadge = Boolean(badge);
  const link = document.getElementById("icon");
  if (!badge) {
    link.type = "image/svg+xml";
    link.href = "/belfry.page/icon.svg";
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  const picture = new Image();
  picture.onload = () => {
    pen.drawImage(picture, 0, 0, 64, 64);
    pen.fillStyle = "#e03131";
    pen.beginPath();
    pen.arc(48, 16, 15, 0, 2 * Math.PI);
    pen.fill();
    canvas.toBlob((blob) => {
      if (!drawnBadge || !blob) return;
      link.type = "image/png";
      link.href = URL.createObjectURL(blob);
    });
  };
  picture.src = "/belfry.page/icon.svg";
}

/* Views and keys */

let shown;
async function show(name) {
  const id = Object.hasOwn(views, name) && isAllowed(views[name]) ? name : "center";
  const made = await views[id].make();
  shown?.close();
  shown = made;
  document.getElementById("view").replaceChildren(shown.element);
  for (const link of document.querySelectorAll(".bar nav a")) {
    if (link.dataset.view === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function showKeys() {
  const window = dialog("Keys", [h("div.viewhead", {}, h("h2", {}, "Keys"), iconButton("close", "Close", () => window.close())),
    h("dl.keys", {}, keys.map(([key, does]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, does))))], { kind: "view" });
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, dialog, [role=menu]")) return;
  // A button has keys of its own.
  if (event.target.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
  const isTaken = event.key === "?" ? (showKeys(), true)
    : event.key === "l" ? (document.getElementById("lock").click(), true)
      : shown?.press?.(event);
  if (isTaken) event.preventDefault();
}

start().catch(failed);
