// What runs while no page is open: it shows what the server tells, and makes the calls of the buttons.

"use strict";

const attempts = 4;

/** Whether an action asks for a text; a browser that read the message itself has left out its type. */
const asksText = ({ type, navigate = "" }) => type === "text" || navigate.includes("&action=");

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const work = told(event);
  event.waitUntil(work);
});

/** Shows a message, which a browser that knows its declarative form has read already. */
async function told({ notification, data }) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // An open page shows it already.
  if (windows.some((page) => page.visibilityState === "visible")) return;
  let alert = notification;
  try {
    alert ??= data.json().notification;
  } catch {
    // A message that cannot be read is shown without a text.
  }
  await show(alert ?? {});
}

function show({ title = "Belfry", body, tag, timestamp, actions = [], data = {} }, problem) {
  return self.registration.showNotification(title, {
    body: [problem, body].filter(Boolean).join("\n"),
    tag,
    renotify: Boolean(tag),
    timestamp,
    icon: "/belfry.page/icon-192.png",
    // Only a field for a text may have a placeholder.
    actions: actions.map((each) => ({ action: each.action, title: each.title, ...(asksText(each) && { type: "text", placeholder: each.placeholder }) })),
    // Only what can be copied: a browser's own notification has actions of its own kind.
    data: {
      title, body, tag, timestamp, data,
      actions: actions.map(({ action, title, type, navigate, placeholder }) => ({ action, title, type, navigate, placeholder })),
    },
  });
}

self.addEventListener("notificationclick", (event) => {
  const { notification, action, reply } = event;
  const { actions = [], data } = notification.data;
  const pressed = actions.find((each) => each.action === action);
  // A browser without a field for a text gives none: it is written on the page.
  const work = pressed && (!asksText(pressed) || typeof reply === "string")
    ? act(notification, action, reply ?? undefined) : (notification.close(), open(data, pressed));
  event.waitUntil(work);
});

/** Brings a page to the front that shows the notification, with the field for an action's text. */
async function open({ center, identifier } = {}, { action } = {}) {
  const named = { ...(center && { app: center.appId, notification: identifier }), ...(action && { action }) };
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = windows.find(({ url }) => new URL(url).pathname === "/");
  if (!page) return void await self.clients.openWindow(`/#${new URLSearchParams(named)}`);
  await page.focus();
  page.postMessage({ reveal: named });
}

/** Answers the app, as who is signed in; what did not arrive stays, with the reason. */
async function act(shown, actionIdentifier, userText) {
  const alert = shown.data;
  try {
    const { outcome } = await call("Respond", { notification: alert.data, action: { actionIdentifier, userText } });
    if (outcome === "RESPOND_OUTCOME_WAITING_FOR_UNLOCK") await show(alert, "It waits for 30 seconds until the device is unlocked.");
    else shown.close();
  } catch (error) {
    // The same tag replaces it: one that was closed just before could take this with it.
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
