// Belfry for browsers, Node and Deno: README.md shows its use, belfry.d.ts describes each name.

const json = "application/json";
const capitals = (name) => name.replace(/[A-Z]/g, "_$&").toUpperCase();
const actionNames = {
  "com.apple.UNNotificationDefaultActionIdentifier": "default",
  "com.apple.UNNotificationDismissActionIdentifier": "dismiss",
};

/* Errors */

export class BelfryError extends Error {
  constructor(code, message, rest = {}) {
    super(message || code);
    this.name = new.target.name;
    this.code = code;
    Object.assign(this, { reason: "", domain: "", metadata: {}, fields: [], details: [] }, rest);
  }
}

export class InvalidRequest extends BelfryError {}
export class NotAllowed extends BelfryError {}
export class NotFound extends BelfryError {}
export class Conflict extends BelfryError {}
export class EventsTrimmed extends BelfryError {}
export class LimitReached extends BelfryError {}
export class StoreFull extends LimitReached {}
export class NotAnswered extends BelfryError {}
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
  // Its caller did not cancel it: a server that stopped did.
  rest.isStop = told.code === "canceled";
  const code = rest.isStop ? "CANCELLED" : String(told.code).toUpperCase();
  return failure(code, `${told.message ?? code}${reason}`, rest);
}

async function refusalOf(response) {
  const text = await response.text();
  try {
    const told = JSON.parse(text);
    if (typeof told.code === "string") return refusal(told);
  } catch {
    // A proxy's answer: its beginning is what a person can act on.
  }
  const code = [429, 502, 503, 504].includes(response.status) ? "UNAVAILABLE" : "UNKNOWN";
  return failure(code, `HTTP ${response.status}: ${text.trim().slice(0, 200)}`);
}

const helpsToRetry = (error) =>
  error?.code === "UNAVAILABLE" || error?.isStop || error?.retryAfter !== undefined ||
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
    signal.addEventListener("abort", stop);
  }
  const release = () => followed.forEach((signal) => signal.removeEventListener("abort", stop));
  return { controller, signal: controller.signal, release };
}

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

const units = {
  weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000, milliseconds: 1,
};

export function duration(span, what = "a length of time") {
  if (typeof span === "string" && /^-?\d+(\.\d{1,9})?s$/.test(span)) return span;
  // A Temporal.Duration has its units as getters, and others than these as 0.
  const others = Object.keys(span ?? {}).filter((name) => !(name in units));
  const found = Object.keys(units).map((unit) => (span?.[unit] ?? 0) * units[unit]);
  const sum = found.reduce((all, each) => all + each, 0);
  if (!span || typeof span !== "object" || others.length || span?.months || span?.years || !Number.isFinite(sum)) {
    throw new TypeError(`${what} has to be like { minutes: 5 }, of ${Object.keys(units).join(", ")}, ` +
      `or like "300s": it is ${JSON.stringify(span)}`);
  }
  return `${Math.round(sum) / 1000}s`;
}

/* The client */

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
    this.#base = new URL(url).href.replace(/\/+$/, "");
    this.#fetch = own ?? ((...sent) => fetch(...sent));
    this.#timeout = timeout;
    this.#headers = token && { Authorization: `Bearer ${token}` };
  }

  app(id, { device = "" } = {}) {
    const name = `${device}/${id}`;
    if (!this.#apps.has(name)) this.#apps.set(name, new App(this, id, device));
    return this.#apps.get(name);
  }

  device(id = "") {
    return new Device(this, id);
  }

  call(method, request, options) {
    const rpc = method.replace(/^.*\//, "");
    if (rpc === method) throw new TypeError(`call it by its whole name, "belfry.v1.XService/${rpc}"`);
    return streams.has(rpc)
      ? this.stream(method, request, options)
      : this.#unary(method, rpc, request, options);
  }

  get isClosed() {
    return this.#ended.signal.aborted;
  }

  close() {
    this.#ended.abort(failure("CANCELLED", "the client is closed"));
  }

  async #unary(method, rpc, request, { timeout = this.#timeout, signal } = {}) {
    const reads = /^(Get|List)/.test(rpc);
    const key = request?.idempotencyKey ?? newKey();
    const body = encode(reads ? request : { ...request, idempotencyKey: key });
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
        await sleep(pause, signal);
      }
    }
  }

  async #send(path, body, timeout, signal) {
    const link = linked(signal);
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
    const page = globalThis.document ? ", and --http-allow-origin for this page" : "";
    const said = `no answer from ${this.#base} (${why}): is a server there with --http-listen${page}?`;
    return failure("UNAVAILABLE", said, { cause: error, isUnreachable: true });
  }

  /** The messages of one call of a stream, until it ends; a cut is UNAVAILABLE. */
  async *stream(path, request, { timeout, signal } = {}) {
    const link = linked(signal, this.#ended.signal);
    const body = encode(request);
    // The server says at least each 15 s that it is there; how long a message is handled is not counted.
    let end;
    link.signal.addEventListener("abort", () => end?.(link.signal.reason), { once: true });
    const wait = (promise) => {
      const watch = setTimeout(() => {
        link.controller.abort(failure("UNAVAILABLE", `${path}: nothing came for 45 s`));
      }, 45_000);
      // Node's fetch sometimes leaves a read open whose signal has aborted.
      return new Promise((resolve, reject) => {
        end = reject;
        if (link.signal.aborted) reject(link.signal.reason);
        promise.then(resolve, reject);
      }).finally(() => clearTimeout(watch));
    };
    try {
      const most = timeout && Math.ceil(timeout);
      const response = await wait(this.#post(path, body, "text/event-stream", most, link.signal));
      for await (const { event, data } of serverSentEvents(response.body, wait)) {
        if (event === "end") return;
        if (event === "error") throw refusal(JSON.parse(data));
        yield decode(data);
      }
      throw failure("UNAVAILABLE", `${path}: the connection was cut`);
    } catch (error) {
      throw this.#told(error, link.signal);
    } finally {
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

/** The events of a body as they arrive. */
async function* serverSentEvents(body, wait) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await wait(reader.read());
      if (done) return;
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
  #handlers = new Map();
  // The answers that have no handler yet, or whose handler is at work.
  #open = new Map();
  #busy = new WeakSet();
  #serving;

  constructor(client, id, device) {
    this.#client = client;
    this.#center = { appId: id, deviceId: device };
    this.id = id;
  }

  #call(rpc, request, options) {
    return this.#client.call(rpc, { center: this.#center, ...request }, options);
  }

  async authorize({ wait = { seconds: 60 }, ...asked } = { alert: true, sound: true, badge: true }) {
    const options = Object.keys(asked).filter((name) => asked[name])
      .map((name) => `AUTHORIZATION_OPTION_${capitals(name)}`);
    const span = duration(wait, "wait");
    const timeout = parseFloat(span) * 1000 + 30_000;
    const told = await this.#call(`${center}RequestAuthorization`, { options, wait: span }, { timeout });
    return { granted: false, ...told };
  }

  async add(title, options = {}) {
    const given = typeof title === "string" ? { title, ...options } : title;
    const request = await this.#request(given);
    return this.#call(`${center}Add`, { request, idempotencyKey: given.key }, given);
  }

  async #request(given) {
    const unknown = Object.keys(given).filter((name) => !noteOptions.has(name));
    if (unknown.length) {
      throw new TypeError(`add() does not know ${unknown}: it knows ${[...noteOptions].join(", ")}`);
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
        interruptionLevel: level && `INTERRUPTION_LEVEL_${capitals(level)}`,
        attachments: attachments.map((attachmentId) => ({ attachmentId })),
        actions: given.actions?.map(action),
        categoryIdentifier: given.category,
        progress: given.progress,
        updatesQuietly: given.quiet,
        ...given.content,
      },
      trigger: given.trigger ?? trigger(given),
      replacementKey: given.replaces,
      expiresAfter: given.expires && duration(given.expires, "expires"),
    };
  }

  async #upload(file) {
    if (typeof file === "string") return file;
    const { data = file, name = `file.${file.type?.split("/").pop()}` } = file;
    const { attachment } = await this.#client.call("belfry.v1.AttachmentService/PutAttachment", {
      appId: this.id, metadata: { fileName: name },
      data: data instanceof Uint8Array ? data : new Uint8Array(await data.arrayBuffer()),
    });
    return attachment.attachmentId;
  }

  async wait({ identifier, requestNumber, asOfEvent }, { timeout, signal } = {}) {
    const link = linked(signal);
    const late = failure("DEADLINE_EXCEEDED", `nobody has answered ${identifier} in time`);
    const timer = timeout && setTimeout(() => link.controller.abort(late), timeout);
    const next = () => ({ center: this.#center, identifier, requestNumber, after: asOfEvent });
    try {
      for await (const said of resumed(this.#client, `${delegate}AwaitAnswer`, next, link.signal)) {
        if (said.answer) return await this.#answered(identifier, said.answer, link.signal);
        if (said.noAnswer) return withoutAnswer(identifier, said.noAnswer.reason);
      }
      throw failure("UNAVAILABLE", `the server says no more of ${identifier}`);
    } finally {
      clearTimeout(timer);
      link.release();
    }
  }

  async #answered(id, { actionIdentifier, userText, callbackId }, signal) {
    try {
      const answers = [{ callbackId }];
      if (callbackId) await this.#call(`${delegate}CompleteResponse`, { answers }, { signal });
    } catch (error) {
      // The answer is there; the next who speaks for the app is told it again.
      if (!helpsToRetry(error) && !(error instanceof DeadlineExceeded)) throw error;
    }
    return { id, action: actionNames[actionIdentifier] ?? actionIdentifier, text: userText };
  }

  pending() {
    return pages(this.#client, `${center}ListPending`, { center: this.#center }, "requests");
  }

  delivered() {
    return pages(this.#client, `${center}ListDelivered`, { center: this.#center }, "notifications");
  }

  async remove(...identifiers) {
    const removed = [];
    for (let start = 0; start < identifiers.length; start += 1000) {
      const part = { identifiers: identifiers.slice(start, start + 1000) };
      for (const rpc of ["RemovePending", "RemoveDelivered"]) {
        removed.push(...((await this.#call(center + rpc, part)).removedIdentifiers ?? []));
      }
    }
    return [...new Set(removed)];
  }

  async badge(count) {
    const { badge = 0 } = await this.#call(`${center}SetBadgeCount`, { count });
    return badge;
  }

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

  async *answers({ signal } = {}) {
    for await (const answer of this.#asked(signal)) {
      yield answer;
      await answer.complete();
    }
  }

  on(name, handle) {
    this.#handlers.set(name, handle);
    this.#serving ??= this.#serve();
    for (const answer of this.#open.values()) this.#handle(answer);
    return () => this.#handlers.get(name) === handle && this.#handlers.delete(name);
  }

  onerror = (error) => console.error("belfry:", error);

  async #serve() {
    try {
      for await (const answer of this.#asked()) await this.#handle(answer);
    } catch (error) {
      this.#serving = undefined;
      if (!this.#client.isClosed) this.onerror(error);
    }
  }

  /** An answer that nobody handles waits for a handler. */
  async #handle(answer) {
    const handle = this.#handlers.get(answer.action) ?? this.#handlers.get("*");
    this.#open.set(answer.callbackId, answer);
    if (!handle || this.#busy.has(answer)) return;
    this.#busy.add(answer);
    try {
      await handle(answer);
      await answer.complete();
    } catch (error) {
      this.onerror(error, answer);
    }
    this.#open.delete(answer.callbackId);
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
          const isAway = helpsToRetry(error) || error instanceof DeadlineExceeded;
          if (isAway && !this.#client.isClosed) continue;
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
            if (callbackEnded) this.#open.delete(callbackEnded.callbackId);
            if (!callback?.didReceive) continue;
            const { callbackId } = callback;
            if (handled.has(callbackId)) await complete(callbackId);
            else if (!this.#open.has(callbackId)) yield new Answer(callback, complete);
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

function withoutAnswer(id, reason = "NO_ANSWER_REASON_UNSPECIFIED") {
  const word = reason.replace("NO_ANSWER_REASON_", "");
  if (word === "DISMISSED") return { id, action: "dismiss", text: undefined };
  throw new NotAnswered("NOT_FOUND", `${id} is gone without an answer: ${word}`, { reason: word });
}

export class Answer {
  #complete;
  #completed;

  constructor({ callbackId, didReceive }, complete) {
    this.callbackId = callbackId;
    const { notification, actionIdentifier, userText } = didReceive;
    this.action = actionNames[actionIdentifier] ?? actionIdentifier;
    this.text = userText;
    this.notification = notification;
    this.id = notification.request.identifier;
    const { userInfoJson } = notification.request.content ?? {};
    this.info = userInfoJson ? JSON.parse(userInfoJson) : undefined;
    this.#complete = complete;
  }

  complete() {
    return (this.#completed ??= this.#complete(this.callbackId));
  }
}

const noteOptions = words(`
  title subtitle body badge sound thread info level attach actions category progress quiet content id replaces
  expires at in every on trigger until times key timeout signal`);

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
  if (at) return { at };
  if (after) return { timeInterval: { interval: duration(after, "in") } };
  if (every) return { repeats: true, limits, timeInterval: { interval: duration(every, "every") } };
  if (!on) return undefined;
  const { weekdays, once, shortMonth, ...dateComponents } = on;
  const named = weekdays?.map((day) => `WEEKDAY_${day.toUpperCase()}`);
  return { repeats: !once, limits, calendar: { dateComponents, weekdays: named } };
}

/** Whole days, weeks, months or years are the calendar's; all else is a fixed time. */
function step(every) {
  const units = Object.keys(every).filter((unit) => every[unit]);
  const unit = /^(day|week|month|year)s$/.exec(units[0])?.[1];
  return units.length === 1 && unit && Number.isInteger(every[units[0]])
    ? { calendarStep: { count: every[units[0]], unit: `CALENDAR_UNIT_${unit.toUpperCase()}` } }
    : { interval: duration(every, "every") };
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
    const [found, another] = shown.filter(({ notification }) => notification.identifier === id);
    if (found && !another) return found.notification;
    const ids = shown.map(({ notification }) => notification.identifier).join(", ") || "nothing";
    const said = found
      ? `two apps show "${id}": name one, as { app, id: "${id}" }`
      : `"${id}" is not shown: what is shown is ${ids}`;
    throw failure(found ? "FAILED_PRECONDITION" : "NOT_FOUND", said, {
      reason: "NOTIFICATION_NOT_FOUND", domain: "belfry",
    });
  }

  async #respond(target, act) {
    const { outcome } = await this.#call("Respond", { notification: await this.#shown(target), ...act });
    return outcome;
  }

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

  async update(state) {
    const updateMask = Object.keys(state).join(",");
    return (await this.#call("UpdateDeviceState", { state, updateMask })).state;
  }

  async *watch({ apps, signal } = {}) {
    const next = () => ({ deviceId: this.#id, appIds: apps });
    for await (const { frames = [] } of resumed(this.#client, `${screen}WatchDevice`, next, signal)) {
      yield* frames;
    }
  }
}

/* What the protos say */

function words(text) {
  return new Set(text.trim().split(/\s+/));
}

// Generated by Protos/generate.sh. Do not edit from here on.
const streams = words(`
  Backup DownloadAttachment Subscribe AwaitAnswer WatchDevice Serve PushToTags DownloadRichPayload`);
const dates = words(`
  addedAt anchor asOf at before completedAt createdAt date dates deadline deliverAt dueAt endAt
  events expiration expiresAt idempotencyKeys nextTriggerDate now readAt recordedAt registeredAt
  revokedAt since skippedDate snoozedUntil startAt startedAt time to unreferencedUntil until`);
const numbers = words(`
  adds after afterOutcome appCount appLimit arriving asOfEvent attachmentCount
  attachmentsSizeBytes batchRequests batches bookmark capacity commands contentBytes copiedBytes
  count counts delivered deliveredPerCenter delivery devices eventBytesPerCenter events evicted
  fileByteLimit fileBytes fired firedCount freeDiskBytes identifierBytes lastEventNumber length
  limitBytes longest mapBytes messageBytes missed number offset pageSize pending pendingCount
  pendingPerCenter records referenceCount refusedCalls removedCount removes replacedDelivery
  requestNumber richId sizeBytes snoozedDelivery storeByteLimit storeBytes subscriptions
  subscriptionsPerCenter suppressed totalBytes usedBytes webPushesDropped webPushesFailed
  webPushesSent withdrawnCount`);
const bytes = words(`
  auth chunk data p256dh payload`);
const maps = words(`
  metadata`);
