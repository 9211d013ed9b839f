// Who the page is to the server: a cookie that no script reads, and a key that no other port has.

import { connect } from "./belfry.js";

const path = "/belfry.page/session";
const kept = "belfry.session";

let isClosing = false;
addEventListener("pagehide", () => (isClosing = true));
addEventListener("pageshow", () => (isClosing = false));
// Another window signed in or out.
addEventListener("storage", (event) => event.key === kept && location.reload());

const header = () => ({ "Belfry-Session": localStorage.getItem(kept) ?? "none" });

/** The client of the page's server, as who signed in. */
export function client() {
  return connect({
    url: location.origin,
    fetch: (url, options) => fetch(url, {
      ...options,
      headers: { ...options.headers, ...header() },
      credentials: "same-origin",
      // What is sent as the page goes is still sent.
      keepalive: isClosing,
    }),
  });
}

/** Signs in with a token, or with the code of a link. */
export async function signIn(secret) {
  const response = await fetch(path, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Belfry-Session": "none" },
    credentials: "same-origin",
  });
  const told = await response.json();
  if (!response.ok) throw new Error(told.message ?? `HTTP ${response.status}`);
  localStorage.setItem(kept, told.key);
}

export async function signOut() {
  await fetch(path, { method: "DELETE", headers: header(), credentials: "same-origin" });
  localStorage.removeItem(kept);
}

/** What a link has behind its #, which is taken out of the address at once. */
export function takeLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  const code = given.get("sign-in");
  if (code === null) return {};
  history.replaceState(null, "", location.pathname);
  return { code, device: given.get("device") ?? undefined };
}

/** The notification that the address names behind its #, as that of a push does; taken out of it. */
export function takeWanted() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("notification")) return undefined;
  history.replaceState(null, "", location.pathname);
  return Object.fromEntries(given);
}
