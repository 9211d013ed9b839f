// What runs while no page is open: it shows what the server tells, and makes the calls of the buttons.

"use strict";

const attempts = 4;

/** A text of an app, which keeps its direction beside another. */
const apart = (text) => `\u2068${text}\u2069`;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const work = told(event.data);
  event.waitUntil(work);
});

async function told(data) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // An open page shows it already.
  if (windows.some((page) => page.visibilityState === "visible")) return;
  let alert;
  try {
    alert = data.json();
  } catch {
    alert = { app: "Belfry" };
  }
  await show(alert);
}

function show(alert, problem) {
  const { app = "Belfry", title, subtitle, body, date, actions = [], notification = {} } = alert;
  const { center, identifier } = notification;
  // A browser has no field for a text.
  const offered = actions.filter(({ asksText }) => !asksText).map(({ id, title }) => ({ action: id, title }));
  return self.registration.showNotification(title ? `${apart(app)} · ${apart(title)}` : app, {
    body: [problem, subtitle, body].filter(Boolean).map(apart).join("\n"),
    tag: JSON.stringify([center, identifier]),
    renotify: true,
    timestamp: date,
    icon: "/belfry.page/icon-192.png",
    actions: offered,
    data: alert,
  });
}

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const work = action ? act(notification.data, action) : open();
  event.waitUntil(work);
});

/** Brings a page to the front. */
async function open() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = windows.find(({ url }) => new URL(url).pathname === "/");
  await (page ? page.focus() : self.clients.openWindow("/"));
}

/** Answers the app, as who is signed in; what did not arrive is shown again with the reason. */
async function act(alert, action) {
  try {
    const { outcome } = await call("Respond", { notification: alert.notification, action: { actionIdentifier: action } });
    if (outcome === "RESPOND_OUTCOME_WAITING_FOR_UNLOCK") await show(alert, "It waits for 30 seconds until the device is unlocked.");
  } catch (error) {
    await show(alert, `That was not told to the app: ${error.message}`);
  }
}

async function call(rpc, fields) {
  const { key, device } = (await kept()) ?? {};
  if (!key) throw new Error("this browser is signed out");
  const idempotencyKey = `${Date.now().toString(16).padStart(12, "0").replace(/.{8}/, "$&-")}-7${crypto.randomUUID().slice(15)}`;
  const body = JSON.stringify({ deviceId: device, idempotencyKey, ...fields });
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`/belfry.v1.DeviceService/${rpc}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Belfry-Session": key },
        credentials: "same-origin",
        signal: AbortSignal.timeout(10_000),
        body,
      });
      const answer = await response.json();
      if (response.ok) return answer;
      if (response.status < 500 && response.status !== 429) throw Object.assign(new Error(answer.message ?? `HTTP ${response.status}`), { isLast: true });
      throw new Error(answer.message ?? `HTTP ${response.status}`);
    } catch (error) {
      if (error.isLast || attempt === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  }
}

// The push service gave the browser another address.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription));
});

async function renew(old) {
  const made = await self.registration.pushManager.subscribe(old.options);
  const { endpoint, keys } = made.toJSON();
  const plain = (text) => text.replaceAll("-", "+").replaceAll("_", "/");
  await call("CreateWebPushSubscription", { endpoint, p256dh: plain(keys.p256dh), auth: plain(keys.auth) });
}

function kept() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("belfry", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("kept").objectStore("kept").get("session");
      reading.onsuccess = () => (opening.result.close(), resolve(reading.result));
      reading.onerror = () => reject(reading.error);
    };
  });
}
