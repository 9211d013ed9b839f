// Belfry for browsers, Node and Deno: README.md shows its use, belfry.d.ts describes each name.

const json = "application/json";
const actionNames = {
  default: "com.apple.UNNotificationDefaultActionIdentifier",
  dismiss: "com.apple.UNNotificationDismissActionIdentifier",
};

/* Errors */

export class BelfryError extends Error {
  constructor(code, message, rest = {}) {
    super(message || code);
    this.name = new.target.name;
    this.code = code;
    this.reason = "";
    this.domain = "";
    this.metadata = {};
    this.fields = [];
    this.retryAfter = undefined;
    this.details = [];
    Object.assign(this, rest);
  }
}

export class InvalidRequest extends BelfryError {}
export class NotAllowed extends BelfryError {}
export class NotFound extends BelfryError {}
export class Conflict extends BelfryError {}
export class EventsTrimmed extends BelfryError {}
export class LimitReached extends BelfryError {}
export class StoreFull extends LimitReached {}
export class Unavailable extends BelfryError {}
export class DeadlineExceeded extends BelfryError {}

const classOfReason = { EVENTS_TRIMMED: EventsTrimmed, STORE_FULL: StoreFull };
const classOfCode = {
  INVALID_ARGUMENT: InvalidRequest,
  OUT_OF_RANGE: InvalidRequest,
  PERMISSION_DENIED: NotAllowed,
  UNAUTHENTICATED: NotAllowed,
  NOT_FOUND: NotFound,
  ALREADY_EXISTS: Conflict,
  FAILED_PRECONDITION: Conflict,
  ABORTED: Conflict,
  RESOURCE_EXHAUSTED: LimitReached,
  UNAVAILABLE: Unavailable,
  DEADLINE_EXCEEDED: DeadlineExceeded,
};

function failure(code, message, rest = {}) {
  const kind = classOfReason[rest.reason] ?? classOfCode[code] ?? BelfryError;
  return new kind(code, message, rest);
}

/** What the Connect protocol tells of a refusal. */
function refusal(told) {
  const rest = { details: told.details ?? [], metadata: {}, fields: [] };
  for (const { type, debug = {} } of rest.details) {
    if (type === "google.rpc.ErrorInfo") {
      rest.reason = debug.reason;
      rest.domain = debug.domain;
      rest.metadata = debug.metadata ?? {};
    } else if (type === "google.rpc.BadRequest") {
      rest.fields.push(...(debug.fieldViolations ?? []));
    } else if (type === "google.rpc.RetryInfo") {
      rest.retryAfter = parseFloat(debug.retryDelay) * 1000;
    }
  }
  const reason = rest.reason ? ` (${rest.reason})` : "";
  const code = told.code === "canceled" ? "CANCELLED" : String(told.code).toUpperCase();
  return failure(code, `${told.message ?? code}${reason}`, rest);
}

/** The refusal of an answer that is not Connect's, as a proxy gives. */
const codeOfStatus = {
  400: "INTERNAL", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "UNIMPLEMENTED",
  429: "UNAVAILABLE", 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "UNAVAILABLE",
};

async function refusalOf(response) {
  const text = await response.text();
  try {
    const told = JSON.parse(text);
    if (typeof told.code === "string") return refusal(told);
  } catch {
    // It is not JSON, and its beginning is what a person can act on.
  }
  const code = codeOfStatus[response.status] ?? "UNKNOWN";
  return failure(code, `HTTP ${response.status}: ${text.trim().slice(0, 200)}`);
}

const helpsToRetry = (error) =>
  error?.code === "UNAVAILABLE" || error?.retryAfter !== undefined ||
  `${error?.message}`.startsWith("SUBSCRIBER_STALLED");

/* Time, keys and JSON */

/** The pauses between tries: 100 ms, twice as long each time, at most 5 s, a part of it by chance. */
class Backoff {
  #pause = 100;
  next(error) {
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, 5000);
    return Math.max(pause, error?.retryAfter ?? 0);
  }
}

const sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

/** A controller that is aborted with the signals; `release` ends its listening to them. */
function linked(...signals) {
  const controller = new AbortController();
  const followed = signals.filter(Boolean);
  const stop = (event) => controller.abort(event.target.reason);
  for (const signal of followed) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener("abort", stop);
  }
  const release = () => followed.forEach((signal) => signal.removeEventListener("abort", stop));
  return { controller, signal: controller.signal, release };
}

/** A version 7 UUID, as idempotency keys are. */
export function newKey(now = Date.now()) {
  const octets = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 0; index < 6; index++) octets[index] = Math.floor(now / 2 ** (40 - 8 * index));
  octets[6] = (octets[6] & 0x0f) | 0x70;
  octets[8] = (octets[8] & 0x3f) | 0x80;
  const hex = Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function base64(octets) {
  let text = "";
  for (let start = 0; start < octets.length; start += 0x8000) {
    text += String.fromCharCode(...octets.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** A request as JSON: a Date is an instant, and bytes are base64. */
function encode(request) {
  return JSON.stringify(request ?? {}, function (name, value) {
    const own = this[name];
    if (own instanceof Date && Number.isNaN(own.getTime())) {
      throw new TypeError(`${name} is a Date that is none (Invalid Date)`);
    }
    if (value instanceof Uint8Array) return base64(value);
    return typeof value === "bigint" ? String(value) : value;
  });
}

/** A message of its JSON: what that has as text becomes its kind, which the field's name tells. */
const decode = (text) => kinded(JSON.parse(text), "");

function kinded(value, name) {
  if (typeof value === "object" && value !== null) {
    if (maps.has(name)) return value;
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) value[key] = kinded(value[key], isList ? name : key);
  } else if (typeof value === "string") {
    // A Date has milliseconds, and some engines read no more digits.
    if (dates.has(name) && value.includes("T")) return new Date(value.replace(/(\.\d{3})\d+/, "$1"));
    if (numbers.has(name) && Number.isSafeInteger(Number(value))) return Number(value);
    if (bytes.has(name)) return Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
  }
  return value;
}

/** A length of time such as `{ minutes: 5 }`, or protobuf's "300s", as protobuf's. */
export function duration(span, what = "a length of time") {
  if (typeof span === "string" && /^-?\d+(\.\d{1,9})?s$/.test(span)) return span;
  const units = { weeks: 604800, days: 86400, hours: 3600, minutes: 60, seconds: 1 };
  let milliseconds = NaN;
  if (typeof span === "object" && span !== null) {
    const named = [...Object.keys(units), "milliseconds"].filter((unit) => span[unit]);
    const others = Object.keys(span).filter((name) => !units[name] && name !== "milliseconds");
    if (others.length === 0) {
      milliseconds = named.reduce((sum, unit) => sum + span[unit] * (units[unit] ?? 0.001) * 1000, 0);
    }
  }
  if (!Number.isFinite(milliseconds)) {
    throw new TypeError(`${what} has to be like { minutes: 5 }, of ${Object.keys(units).join(", ")} ` +
      `and milliseconds, or like "300s": it is ${JSON.stringify(span)}`);
  }
  return `${Math.round(milliseconds) / 1000}s`;
}

/* The client */

/** Makes a client; nothing is sent before its first call. */
export function connect(options = {}) {
  return new Client(options);
}

export class Client {
  #base;
  #fetch;
  #timeout;
  #ended = new AbortController();
  #apps = new Map();
  #headers;
  #hasAnswered = false;

  constructor({ url, token, timeout = 30_000, fetch: own } = {}) {
    url ??= globalThis.location?.origin;
    if (!url || url === "null") {
      throw new TypeError('connect({ url }) needs the address of --http-listen, as "http://127.0.0.1:50080"');
    }
    token ??= globalThis.process?.env?.BELFRY_TOKEN;
    this.#base = String(url).replace(/\/+$/, "");
    this.#fetch = own ?? ((...sent) => fetch(...sent));
    this.#timeout = timeout;
    this.#headers = token && { Authorization: `Bearer ${token}` };
  }

  /** The notification center of an app on a device. */
  app(id, { device = "" } = {}) {
    const name = `${device}/${id}`;
    if (!this.#apps.has(name)) this.#apps.set(name, new App(this, id, device));
    return this.#apps.get(name);
  }

  /** The person at a device. */
  device(id = "") {
    return new Device(this, id);
  }

  /** Calls any rpc by its name: an answer to wait for, or a stream to iterate. */
  call(method, request, options) {
    const rpc = method.replace(/^.*\//, "");
    if (rpc === method) throw new TypeError(`call it by its whole name, "belfry.v1.XService/${rpc}"`);
    return streams.has(rpc)
      ? this.stream(method, request, options)
      : this.#unary(method, rpc, request, options);
  }

  /** Ends the calls and the streams that are open. */
  close() {
    this.#ended.abort(failure("CANCELLED", "the client is closed"));
  }

  async #unary(method, rpc, request, { timeout = this.#timeout, signal } = {}) {
    const reads = /^(Get|List)/.test(rpc);
    const body = encode(reads ? request : { idempotencyKey: newKey(), ...request });
    const began = Date.now();
    const backoff = new Backoff();
    for (;;) {
      const left = timeout - (Date.now() - began);
      try {
        return await this.#send(method, body, Math.max(1, Math.ceil(left)), signal);
      } catch (error) {
        const pause = backoff.next(error);
        // Where nothing has ever answered, the address is more likely wrong than the server away.
        const most = error?.isUnreachable && !this.#hasAnswered ? Math.min(timeout, 5000) : timeout;
        if (!helpsToRetry(error) || Date.now() - began + pause >= most) throw error;
        await sleep(pause, signal ?? this.#ended.signal);
      }
    }
  }

  async #send(path, body, timeout, signal) {
    const link = linked(signal, this.#ended.signal);
    // The server keeps the deadline; this one is for a server that is gone.
    const timer = setTimeout(() => {
      link.controller.abort(failure("DEADLINE_EXCEEDED", `${path}: no answer within ${timeout} ms`));
    }, timeout + 500);
    try {
      const response = await this.#post(path, body, json, timeout, link.signal);
      return decode(await response.text());
    } catch (error) {
      throw this.#told(error, link.signal);
    } finally {
      clearTimeout(timer);
      link.release();
    }
  }

  async #post(path, body, accept, timeout, signal) {
    const response = await this.#fetch(`${this.#base}/${path.replace(/^\//, "")}`, {
      method: "POST",
      body,
      signal,
      headers: {
        ...this.#headers,
        "Content-Type": json,
        Accept: accept,
        ...(timeout && { "Connect-Timeout-Ms": String(timeout) }),
      },
      // A token is for the server alone.
      redirect: "error",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    this.#hasAnswered = true;
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  /** What ended a request: the server's refusal, the caller's abort, or the network. */
  #told(error, signal) {
    if (error instanceof BelfryError) return error;
    if (signal.aborted) return signal.reason;
    const why = error.cause?.code ?? error.cause?.message ?? error.message;
    const page = globalThis.location && !globalThis.process
      ? "; a page's origin has to be one of --http-allow-origin" : "";
    const said = `no answer from ${this.#base} (${why}): is a server there, with --http-listen?${page}`;
    return failure("UNAVAILABLE", said, { cause: error, isUnreachable: true });
  }

  /** The messages of one call of a stream, until it ends; a cut is UNAVAILABLE. */
  async *stream(path, request, { timeout, signal } = {}) {
    const link = linked(signal, this.#ended.signal);
    let watch;
    // The server says at least each 15 s that it is there.
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        link.controller.abort(failure("UNAVAILABLE", `${path}: nothing came for 45 s`));
      }, 45_000);
    };
    try {
      alive();
      const response = await this.#post(
        path, encode(request), "text/event-stream", timeout && Math.ceil(timeout), link.signal);
      for await (const { event, data } of serverSentEvents(response.body, alive)) {
        if (event === "end") return;
        if (event === "error") throw refusal(JSON.parse(data));
        yield decode(data);
      }
      throw failure("UNAVAILABLE", `${path}: the connection was cut`);
    } catch (error) {
      throw this.#told(error, link.signal);
    } finally {
      clearTimeout(watch);
      link.controller.abort();
      link.release();
    }
  }
}

/** The messages of a stream that is opened again after each cut, as `next()` asks for it. */
async function* resumed(client, method, next, signal) {
  let backoff = new Backoff();
  for (;;) {
    try {
      for await (const message of client.stream(method, next(), { signal })) {
        backoff = new Backoff();
        yield message;
      }
      return;
    } catch (error) {
      if (!helpsToRetry(error)) throw error;
      await sleep(backoff.next(error), signal);
    }
  }
}

const mostLetters = 1 << 25;

/** The events of a body as they arrive; `alive` is called for whatever arrives. */
async function* serverSentEvents(body, alive) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      const text = decoder.decode(value, { stream: true });
      rest += text;
      if (rest.length > mostLetters) throw failure("RESOURCE_EXHAUSTED", "an event is too long");
      if (!text.includes("\n")) continue;
      const parts = rest.split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const fields = { event: "message", data: "" };
        for (const line of part.split("\n")) {
          const colon = line.indexOf(":");
          if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
        }
        if (fields.data) yield fields;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/* The app */

const center = "belfry.v1.NotificationCenterService/";
const delegate = "belfry.v1.DelegateService/";

/** All items of a list that comes in pages. */
async function pages(client, method, request, items) {
  const found = [];
  let pageToken = "";
  do {
    const page = await client.call(method, { pageSize: 1000, ...request, pageToken });
    found.push(...(page[items] ?? []));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

export class App {
  #client;
  #center;
  #categories = new Map();
  #handlers = new Map();
  #unhandled = new Map();
  #serving;

  constructor(client, id, device) {
    this.#client = client;
    this.#center = device ? { appId: id, deviceId: device } : { appId: id };
  }

  get id() {
    return this.#center.appId;
  }

  #call(rpc, request, options) {
    return this.#client.call(rpc, { center: this.#center, ...request }, options);
  }

  async authorize({ wait = { seconds: 60 }, ...asked } = { alert: true, sound: true, badge: true }) {
    const options = Object.keys(asked).filter((name) => asked[name])
      .map((name) => `AUTHORIZATION_OPTION_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
    const span = duration(wait, "wait");
    const timeout = parseFloat(span) * 1000 + 30_000;
    const told = await this.#call(`${center}RequestAuthorization`, { options, wait: span }, { timeout });
    return { granted: false, ...told };
  }

  async add(title, options = {}) {
    const given = typeof title === "string" ? { title, ...options } : title;
    const request = await this.#request(given);
    return this.#call(`${center}Add`, {
      request, ...(given.key && { idempotencyKey: given.key }),
    }, given);
  }

  async #request(given) {
    const unknown = Object.keys(given).filter((name) => !NAMES.includes(name));
    if (unknown.length) {
      throw new TypeError(`add() does not know ${unknown.join(", ")}: it knows ${NAMES.join(", ")}`);
    }
    const { id, title, subtitle, body, badge, thread, info, level, attach = [] } = given;
    const attachments = await Promise.all(attach.map((file) => this.#upload(file)));
    const sound = given.sound === true ? {} : given.sound;
    return {
      identifier: id,
      content: {
        title, subtitle, body, badge,
        threadIdentifier: thread,
        sound: typeof sound === "string" ? { name: sound } : sound || undefined,
        userInfoJson: info === undefined ? undefined : JSON.stringify(info),
        interruptionLevel: level && `INTERRUPTION_LEVEL_${level.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
        attachments: attachments.map((attachmentId) => ({ attachmentId })),
        ...(await this.#actions(given)),
        ...given.content,
      },
      trigger: given.trigger ?? trigger(given),
      replacementKey: given.replaces,
      expiresAfter: given.expires && duration(given.expires, "expires"),
    };
  }

  /** The part of the content that offers actions: a category that has exactly these. */
  async #actions({ actions, category }) {
    if (!actions?.length) return { categoryIdentifier: category };
    const wire = actions.map(action);
    const identifier = `actions.${hash(JSON.stringify(wire))}`;
    if (!this.#categories.has(identifier)) {
      const categories = [{ identifier, actions: wire }];
      const made = this.#call(`${center}UpsertNotificationCategories`, { categories });
      this.#categories.set(identifier, made);
      made.catch(() => this.#categories.delete(identifier));
    }
    await this.#categories.get(identifier);
    return { categoryIdentifier: identifier };
  }

  async #upload(file) {
    if (typeof file === "string") return file;
    const { data = file, name = file.name ?? "", type = file.type ?? "" } = file.data ? file : {};
    const { attachment } = await this.#client.call("belfry.v1.AttachmentService/PutAttachment", {
      appId: this.id, metadata: { fileName: name, typeHint: type },
      data: data instanceof Uint8Array ? data : new Uint8Array(await data.arrayBuffer()),
    });
    return attachment.attachmentId;
  }

  pending(filter) {
    const request = { center: this.#center, filter: wireFilter(filter) };
    return pages(this.#client, `${center}ListPending`, request, "requests");
  }

  delivered(filter) {
    const request = { center: this.#center, filter: wireFilter(filter) };
    return pages(this.#client, `${center}ListDelivered`, request, "notifications");
  }

  /** Removes what is pending and what is shown; gives the identifiers of what was there. */
  async remove(...identifiers) {
    const removed = new Set();
    for (let start = 0; start < identifiers.length; start += 1000) {
      const part = { identifiers: identifiers.slice(start, start + 1000) };
      const told = [await this.#call(`${center}RemovePending`, part),
        await this.#call(`${center}RemoveDelivered`, part)];
      told.forEach(({ removedIdentifiers = [] }) => removedIdentifiers.forEach((id) => removed.add(id)));
    }
    return [...removed];
  }

  async badge(count) {
    const { badge = 0 } = await this.#call(`${center}SetBadgeCount`, { count });
    return badge;
  }

  /** The events after a number, or from now on; each once and in order, across cuts and restarts. */
  async *events({ after, signal } = {}) {
    let last = after;
    const next = () => ({ center: this.#center, after: last });
    for await (const { frames = [] } of resumed(this.#client, `${delegate}Subscribe`, next, signal)) {
      for (const { started, event } of frames) {
        if (started) last ??= started.lastEventNumber ?? 0;
        if (!event || event.number <= last) continue;
        last = event.number;
        yield event;
      }
    }
  }

  /**
   * What the person did, each once. An answer is completed when the next one is asked for: one whose
   * handling throws, or ends the loop, stays open and is told again to the next who asks.
   */
  async *answers({ signal } = {}) {
    for await (const answer of this.#asked(signal)) {
      yield answer;
      await answer.complete();
    }
  }

  /** Calls `handle` for each answer with an action: its name, "default", "dismiss", or "*" for any. */
  on(name, handle) {
    this.#handlers.set(name, handle);
    this.#serving ??= this.#serve();
    for (const answer of [...this.#unhandled.values()]) this.#handle(answer);
    return () => this.#handlers.get(name) === handle && this.#handlers.delete(name);
  }

  onerror = (error) => console.error("belfry:", error);

  async #serve() {
    try {
      for await (const answer of this.#asked()) await this.#handle(answer);
    } catch (error) {
      this.#serving = undefined;
      if (error.code !== "CANCELLED") this.onerror(error);
    }
  }

  /** An answer that nobody handles waits for a handler. */
  async #handle(answer) {
    const handle = this.#handlers.get(answer.action) ?? this.#handlers.get("*");
    if (!handle) return void this.#unhandled.set(answer.callbackId, answer);
    this.#unhandled.delete(answer.callbackId);
    try {
      await handle(answer);
      await answer.complete();
    } catch (error) {
      this.onerror(error, answer);
    }
  }

  /** The questions to the app about what the person did, as its one primary subscriber. */
  async *#asked(signal) {
    // Those whose completion the server has not acknowledged: a new connection is asked again.
    const handled = new Set();
    let kept;
    const next = () => {
      const role = kept
        ? { resumeSubscriptionId: kept }
        : { role: "SUBSCRIBER_ROLE_PRIMARY", capabilities: ["DELEGATE_CAPABILITY_DID_RECEIVE"] };
      return { center: this.#center, ...role };
    };
    const complete = async (callbackId) => {
      handled.add(callbackId);
      const request = { subscriptionId: kept, answers: [{ callbackId }] };
      for (;;) {
        try {
          await this.#call(`${delegate}CompleteResponse`, request, { signal });
          break;
        } catch (error) {
          if (helpsToRetry(error) || error instanceof DeadlineExceeded) continue;
          // The next connection is asked again, and completes it.
          if (error.reason === "NOT_PRIMARY") return;
          // It has ended, and needs no answer any more.
          if (error.reason === "CALLBACK_ENDED" || error.reason === "CALLBACK_UNKNOWN") break;
          throw error;
        }
      }
      handled.delete(callbackId);
    };
    for (;;) {
      try {
        for await (const { frames = [] } of resumed(this.#client, `${delegate}Subscribe`, next, signal)) {
          for (const { started, callback, callbackEnded, demoted } of frames) {
            if (started) kept = started.subscriptionId;
            if (demoted || (started && started.role !== "SUBSCRIBER_ROLE_PRIMARY")) {
              const said = `another subscriber takes the answers of ${this.id} now`;
              throw failure("FAILED_PRECONDITION", said, { reason: "NOT_PRIMARY", domain: "belfry" });
            }
            if (callbackEnded) this.#unhandled.delete(callbackEnded.callbackId);
            if (!callback?.didReceive) continue;
            const { callbackId } = callback;
            if (handled.has(callbackId)) await complete(callbackId);
            else if (!this.#unhandled.has(callbackId)) yield new Answer(callback, complete);
          }
        }
        return;
      } catch (error) {
        // The server keeps a subscription for five seconds, and not over a restart.
        if (!kept || error.reason !== "SUBSCRIPTION_UNKNOWN") throw error;
        kept = undefined;
      }
    }
  }
}

export class Answer {
  #complete;
  #completed;

  constructor({ callbackId, didReceive }, complete) {
    this.callbackId = callbackId;
    const { notification, actionIdentifier, userText } = didReceive;
    const known = Object.keys(actionNames).find((name) => actionNames[name] === actionIdentifier);
    this.action = known ?? actionIdentifier;
    this.text = userText;
    this.notification = notification;
    this.id = notification.request.identifier;
    const { userInfoJson } = notification.request.content ?? {};
    this.info = userInfoJson ? JSON.parse(userInfoJson) : undefined;
    this.#complete = complete;
  }

  /** Says that it is handled, so that it is not told again. */
  complete() {
    return (this.#completed ??= this.#complete(this.callbackId));
  }
}

const NAMES = [
  "title", "subtitle", "body", "badge", "sound", "thread", "info", "level", "attach", "actions",
  "category", "content", "id", "replaces", "expires", "at", "in", "every", "on", "trigger", "until",
  "times", "key", "timeout", "signal",
];

const wireFilter = (filter) => filter && {
  identifiers: filter.ids,
  threadIdentifier: filter.thread,
  categoryIdentifier: filter.category,
};

function action({ id, title, reply, unlock, destructive, open }) {
  const options = [
    unlock && "ACTION_OPTION_AUTHENTICATION_REQUIRED",
    destructive && "ACTION_OPTION_DESTRUCTIVE",
    open && "ACTION_OPTION_FOREGROUND",
  ].filter(Boolean);
  const text = reply === true ? {} : typeof reply === "string" ? { placeholder: reply } : reply;
  return { identifier: id, title, options, textInput: text || undefined };
}

/** When: an instant, after a time, again and again, or at each date that matches. */
function trigger({ at, in: after, every, on, until, times }) {
  if ([at, after, on].filter((each) => each !== undefined).length > 1 || (on && every)) {
    throw new TypeError("a notification has one of at, in and on; every goes with at, or alone");
  }
  if (at !== undefined && !(at instanceof Date)) {
    throw new TypeError(`at has to be a Date, as new Date("2026-01-31T09:00:00Z"): it is ${typeof at}`);
  }
  const limits = until || times ? { endAt: until, maxOccurrences: times } : undefined;
  if (at && every) return { repeats: true, limits, anchoredInterval: { anchor: at, ...step(every) } };
  if (at) return instant(at);
  if (after) return { timeInterval: { interval: duration(after, "in") } };
  if (every) return { repeats: true, limits, timeInterval: { interval: duration(every, "every") } };
  if (!on) return undefined;
  const { weekdays, once, shortMonth, ...dateComponents } = on;
  const named = weekdays?.map((day) => `WEEKDAY_${day.toUpperCase()}`);
  return { repeats: !once, limits, calendar: { dateComponents, weekdays: named } };
}

/** An instant, as a date of UTC with all its parts. */
function instant(at) {
  if (Number.isNaN(at.getTime())) throw new TypeError("at is a Date that is none (Invalid Date)");
  return {
    calendar: {
      dateComponents: {
        timeZone: "UTC", year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(),
        hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds(),
        nanosecond: at.getUTCMilliseconds() * 1_000_000,
      },
    },
  };
}

/** Whole days, weeks, months or years are the calendar's; all else is a fixed time. */
function step(every) {
  const units = Object.keys(every).filter((unit) => every[unit]);
  const unit = /^(day|week|month|year)s$/.exec(units[0])?.[1];
  return units.length === 1 && unit && Number.isInteger(every[units[0]])
    ? { calendarStep: { count: every[units[0]], unit: `CALENDAR_UNIT_${unit.toUpperCase()}` } }
    : { interval: duration(every, "every") };
}

/** 106 bits that stand for a text. */
function hash(text) {
  const of = (seed) => {
    let high = 0xdeadbeef ^ seed, low = 0x41c6ce57 ^ seed;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
  };
  return `${of(1)}.${of(2)}`;
}

/* The person */

const screen = "belfry.v1.DeviceService/";

export class Device {
  #client;
  #id;

  constructor(client, id) {
    this.#client = client;
    this.#id = id;
  }

  #call(rpc, request) {
    return this.#client.call(screen + rpc, { deviceId: this.#id, ...request });
  }

  /** What the person sees in the list, the newest group first. */
  async screen({ apps } = {}) {
    const request = { deviceId: this.#id, appIds: apps };
    const groups = await pages(this.#client, `${screen}ListNotificationCenter`, request, "groups");
    return groups.flatMap(({ notifications = [] }) => notifications);
  }

  /** One notification of the screen: by its identifier, by that and its app, or as it is. */
  async #shown(target) {
    if (target?.notification) return target.notification;
    if (target?.delivery) return target;
    const { app, id } = typeof target === "string" ? { id: target } : target;
    const shown = await this.screen({ apps: app && [app] });
    const found = shown.filter(({ notification }) => notification.identifier === id);
    if (found.length === 1) return found[0].notification;
    const said = found.length
      ? `${found.length} apps show "${id}": name one, as { app, id: "${id}" }`
      : `"${id}" is not shown: what is shown is ${
          shown.map(({ notification }) => notification.identifier).join(", ") || "nothing"}`;
    const rest = { reason: "NOTIFICATION_NOT_FOUND", domain: "belfry" };
    throw failure(found.length ? "FAILED_PRECONDITION" : "NOT_FOUND", said, rest);
  }

  async #respond(target, act) {
    const { outcome } = await this.#call("Respond", { notification: await this.#shown(target), ...act });
    return outcome;
  }

  /** Presses a button of a notification, or without one opens it. */
  press(target, name = "default") {
    const act = name === "default" ? { defaultAction: {} } : { action: { actionIdentifier: name } };
    return this.#respond(target, act);
  }

  reply(target, name, text) {
    return this.#respond(target, { action: { actionIdentifier: name, userText: text } });
  }

  async dismiss(target) {
    const notification = await this.#shown(target);
    return this.#call("Dismiss", { notification, kind: "DISMISS_KIND_CLEAR" });
  }

  /** Answers the prompt of an app, also one that is still to come. */
  allow(app, options = {}) {
    return this.#answer(app, "PROMPT_ANSWER_ALLOW", options);
  }

  deny(app, options = {}) {
    return this.#answer(app, "PROMPT_ANSWER_DENY", options);
  }

  async #answer(app, answer, { signal } = {}) {
    const appId = typeof app === "string" ? app : app.id;
    const link = linked(signal);
    const gives = setTimeout(() => {
      link.controller.abort(failure("DEADLINE_EXCEEDED", `${appId} has asked for nothing within 30 s`));
    }, 30_000);
    try {
      for await (const { snapshot, prompt } of this.watch({ apps: [appId], signal: link.signal })) {
        const open = prompt ?? snapshot?.prompts?.find(({ center }) => center.appId === appId);
        if (!open) continue;
        const options = answer === "PROMPT_ANSWER_ALLOW" ? open.options : [];
        const { promptId } = open;
        const told = await this.#call("AnswerAuthorizationPrompt", { promptId, answer, options });
        return told.settings;
      }
    } finally {
      clearTimeout(gives);
      link.release();
    }
  }

  lock(locked = true) {
    return this.update({ locked });
  }

  unlock() {
    return this.update({ locked: false });
  }

  async state() {
    return (await this.#call("GetDeviceState", {})).state;
  }

  /** Changes the parts of the state that are named. */
  async update(state) {
    const names = Object.keys(state);
    const updateMask = names.join(",");
    return (await this.#call("UpdateDeviceState", { state, updateMask })).state;
  }

  /** The frames of the screen; after a cut they begin again with a snapshot. */
  async *watch({ apps, signal } = {}) {
    const next = () => ({ deviceId: this.#id, appIds: apps });
    for await (const { frames = [] } of resumed(this.#client, `${screen}WatchDevice`, next, signal)) {
      yield* frames;
    }
  }
}

/* What the protos say */

// Generated by Protos/generate.sh. Do not edit from here on.
const streams = new Set(`
  Backup DownloadAttachment Subscribe WatchDevice Serve PushToTags DownloadRichPayload
`.trim().split(/\s+/));
const dates = new Set(`
  addedAt anchor asOf completedAt createdAt date dates deadline deliverAt dueAt endAt events
  expiration idempotencyKeys nextTriggerDate now readAt recordedAt registeredAt revokedAt
  skippedDate snoozedUntil startAt startedAt time to unreferencedUntil until
`.trim().split(/\s+/));
const numbers = new Set(`
  adds after afterOutcome arriving asOfEvent attachmentCount attachmentsSizeBytes batchRequests
  batches bookmark capacity commands contentBytes copiedBytes count counts delivered
  deliveredPerCenter delivery devices eventBytesPerCenter events evicted fileBytes fired
  firedCount freeDiskBytes identifierBytes lastEventNumber length limitBytes longest mapBytes
  messageBytes missed number offset pageSize pending pendingCount pendingPerCenter records
  referenceCount refusedCalls removedCount removes replacedDelivery richId sizeBytes
  snoozedDelivery subscriptions subscriptionsPerCenter suppressed totalBytes usedBytes
  withdrawnCount
`.trim().split(/\s+/));
const bytes = new Set(`
  chunk data payload
`.trim().split(/\s+/));
const maps = new Set(`
  metadata
`.trim().split(/\s+/));
