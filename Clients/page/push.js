// Telling the person while the page is closed: this browser's subscription, and what the worker needs.

const script = "/belfry.page/worker.js";
const scope = "/belfry.page/";
// The only script that a page may name while it runs.
const policy = globalThis.trustedTypes?.createPolicy("belfry", { createScriptURL: () => script });

// A press on what the worker shows names the notification that the page then shows.
navigator.serviceWorker?.addEventListener("message", ({ data }) => data.reveal && (location.hash = new URLSearchParams(data.reveal)));
navigator.serviceWorker?.startMessages();

function lacking() {
  if (!globalThis.isSecureContext) return "A browser takes it over https alone, or on the server’s own machine";
  if (!navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) return "This browser cannot be told while a page is closed";
  if (Notification.permission === "denied") return "This browser was told to show no notifications of this page: its settings can allow them";
  return undefined;
}

const registered = () => navigator.serviceWorker.getRegistration(scope);

async function subscription() {
  return (await registered())?.pushManager.getSubscription();
}

/** Names a subscription as the server does. */
async function idOf({ endpoint }) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps what the worker needs to call as who signed in. */
async function remember(value) {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("belfry", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  await new Promise((resolve, reject) => {
    const writing = database.transaction("kept", "readwrite");
    writing.objectStore("kept")[value ? "put" : "delete"](...(value ? [value, "session"] : ["session"]));
    writing.oncomplete = resolve;
    writing.onerror = () => reject(writing.error);
  });
  database.close();
}

const session = ({ id }) => ({ key: localStorage.getItem("belfry.session") ?? "", device: id });

/** Whether this browser is told, and what keeps it from that. */
export async function read(model) {
  const obstacle = lacking();
  if (obstacle) return { isOn: false, obstacle };
  try {
    const { subscriptions = [] } = await model.call("ListWebPushSubscriptions", {});
    const own = await subscription();
    const id = own && await idOf(own);
    return { isOn: subscriptions.some((each) => each.id === id) };
  } catch (error) {
    const isOff = error.reason === "WEB_PUSH_OFF";
    return { isOn: false, obstacle: isOff ? "The server tells no browsers: who runs it can allow it with belfry serve --web-push" : error.message };
  }
}

export async function turnOn(model) {
  const { applicationServerKey } = await model.call("ListWebPushSubscriptions", {});
  if (await Notification.requestPermission() !== "granted") throw new Error("The browser shows no notifications of this page");
  await navigator.serviceWorker.register(policy ? policy.createScriptURL("") : script, { scope });
  const worker = await registered();
  await ready(worker);
  const known = await worker.pushManager.getSubscription();
  // Another server's key does not sign for this one.
  if (known && encoded(known.options.applicationServerKey) !== applicationServerKey) await known.unsubscribe();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  await remember(session(model));
  const { endpoint, keys } = made.toJSON();
  await model.call("CreateWebPushSubscription", { endpoint, p256dh: bytes(keys.p256dh), auth: bytes(keys.auth) });
}

export async function turnOff(model) {
  const own = await subscription();
  await remember(undefined);
  if (!own) return;
  await model.call("DeleteWebPushSubscription", { id: await idOf(own) });
  await own.unsubscribe();
}

/** Begins: the page shows what the worker has shown, and the worker calls as who is signed in now. */
export async function refresh(model) {
  const worker = await registered();
  if (!worker) return;
  if (await worker.pushManager.getSubscription()) await remember(session(model));
  for (const shown of await worker.getNotifications()) shown.close();
}

function ready(worker) {
  const starting = worker.installing ?? worker.waiting;
  if (worker.active || !starting) return undefined;
  return new Promise((resolve) => starting.addEventListener("statechange", () => starting.state === "activated" && resolve()));
}

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer ?? 0))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
