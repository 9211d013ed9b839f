// What became of notifications: of all apps, the newest first, and the life of each.

import { attempt, button, dialog, failed, h, icon, iconButton, near, now, span, startOfDay, time, timeOfDay, words } from "./dom.js";
import { letter } from "./center.js";

const pageSize = 60;
const mostEntries = 5000;
const pause = 300;
const spans = { all: ["Any time", 0], hour: ["The last hour", 3600], day: ["The last day", 86_400], week: ["The last week", 604_800] };

const causes = {
  REMOVAL_CAUSE_APP: "by the app", REMOVAL_CAUSE_PERSON: "opened or dismissed", REMOVAL_CAUSE_PROVIDER: "taken back by its sender",
  REMOVAL_CAUSE_RETENTION: "too old, or one too many", REMOVAL_CAUSE_REPLACED: "replaced by a newer one",
};
const suppressions = {
  SUPPRESSION_REASON_NOT_AUTHORIZED: "the app was not allowed", SUPPRESSION_REASON_NOT_PRESENTED: "the app presented nothing",
  SUPPRESSION_REASON_FILTERED: "the app’s extension dropped it",
};
const taps = { "com.apple.UNNotificationDefaultActionIdentifier": "Opened", "com.apple.UNNotificationDismissActionIdentifier": "Dismissed" };

const seconds = (duration) => parseFloat(duration ?? "0");
const late = (duration) => (seconds(duration) >= 1 ? `${span(seconds(duration))} late` : "");

/** What an event is about, what it is called, and why. */
function told(event) {
  const { delivered, held, suppressed, missed, removed, expired, evicted, snoozed } = event;
  const shown = delivered ?? held;
  if (shown) {
    const { notification = {}, presentation = {}, collapsedCount, snoozedDelivery, lateBy } = shown;
    const why = [
      presentation.silencedByFocus !== undefined ? `silenced by ${presentation.silencedByFocus || "Focus"}` : presentation.quiet && "quietly",
      snoozedDelivery && "back from a snooze", collapsedCount && `for ${collapsedCount} earlier ones too`, late(lateBy),
      held && `shown ${near(held.until)}`,
    ];
    return { identifier: notification.request?.identifier, kind: held ? "Held for the summary" : "Delivered", why, due: lateBy && event.recordedAt - seconds(lateBy) * 1000 };
  }
  if (suppressed) return { identifier: suppressed.identifier, kind: "Not shown", why: [suppressions[suppressed.reason]], due: suppressed.dueAt };
  if (missed) return { identifier: missed.identifier, kind: "Missed", why: [late(missed.lateBy)], due: missed.dueAt };
  if (removed) return { identifier: removed.identifier, kind: "Removed", why: [causes[removed.cause], removed.state === "REQUEST_STATE_PENDING" && "before it was due"] };
  if (expired) return { identifier: expired.identifier, kind: "Ended", why: ["no further date"] };
  if (evicted) return { identifier: evicted.identifier, kind: "Pushed out", why: ["too many were pending"] };
  if (snoozed) return { identifier: snoozed.identifier, kind: "Snoozed", why: [`until ${near(snoozed.until)}`] };
  const answer = event.responseCompleted ?? event.responseExpired;
  if (!answer) return { kind: "Something newer", why: [] };
  return {
    identifier: answer.notification?.identifier, kind: taps[answer.actionIdentifier] ?? `Answered “${answer.actionIdentifier}”`,
    why: [answer.userText && `“${answer.userText}”`, event.responseExpired && "the app did not handle it"],
  };
}

const reasons = (why) => why.filter(Boolean).join(", ");

/** The history of one app, page by page. */
class Source {
  entries = [];
  isDone = false;
  #token;

  constructor(model, app, filter) {
    this.app = app;
    this.next = async () => {
      const page = await model.call("ListHistory", { appId: app.center.appId, ...filter, pageSize, pageToken: this.#token });
      this.#token = page.nextPageToken;
      this.isDone = !this.#token;
      this.entries.push(...(page.entries ?? []));
    };
  }

  /** Reads on until there is an entry, or none is left. */
  async fill(isNeeded) {
    while (!this.entries.length && !this.isDone && isNeeded()) await this.next();
  }
}

export class HistoryView {
  #context;
  #stop = new AbortController();
  #turn = 0;
  #timer;
  #apps = [];
  #sources = [];
  #shown = [];
  #titles = new Map();
  /** The day of the last entry that is shown. */
  #day;
  /** The entries, with their lines, whose titles are not known. */
  #nameless = [];

  constructor(context) {
    this.#context = context;
    this.text = h("input", { type: "search", dir: "auto", placeholder: "Search", "aria-label": "Search", maxlength: "80", autocomplete: "off", oninput: () => this.#plan() });
    this.app = h("select", { "aria-label": "App", onchange: () => this.#plan(0) }, h("option", { value: "" }, "All apps"));
    this.span = h("select", { "aria-label": "Time", onchange: () => this.#plan(0) }, Object.entries(spans).map(([id, [name]]) => h("option", { value: id }, name)));
    this.body = h("div.timeline", { role: "group", "aria-label": "History", "aria-busy": "true" });
    this.rest = h("div.rest");
    this.element = h("main.history", { id: "main" }, h("h1.unseen", {}, "History"),
      h("div.viewbar.search", { role: "search" }, this.text, this.app, this.span), this.body, this.rest);
    this.#start().catch(failed);
  }

  close() {
    this.#stop.abort();
    this.#turn++;
    clearTimeout(this.#timer);
  }

  async #start() {
    const { model } = this.#context;
    let pageToken;
    do {
      const page = await model.call("ListApps", { pageSize: 1000, pageToken });
      this.#apps.push(...(page.apps ?? []));
      pageToken = page.nextPageToken;
    } while (pageToken && this.#apps.length < mostEntries);
    this.app.append(...this.#apps.map(({ center, name }) => h("option", { value: center.appId }, name || center.appId)));
    await this.#read();
    // What happens now is there at once, unless the person has gone on to what was before.
    const news = () => this.#shown.length <= pageSize && this.#plan(1000);
    for (const kind of ["change", "listed"]) model.addEventListener(kind, news, { signal: this.#stop.signal });
  }

  #plan(wait = pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read().catch(failed), wait);
  }

  async #read() {
    const { model } = this.#context;
    const [, length] = spans[this.span.value];
    const filter = { text: this.text.value.trim(), ...(length && { since: new Date(now() - length * 1000) }) };
    const turn = ++this.#turn;
    const chosen = this.app.value ? this.#apps.filter(({ center }) => center.appId === this.app.value) : this.#apps;
    const sources = chosen.map((app) => new Source(model, app, filter));
    this.body.setAttribute("aria-busy", "true");
    const found = await this.#take(sources, turn);
    if (turn !== this.#turn) return;
    this.#sources = sources;
    this.#shown = found;
    this.#draw();
  }

  /** The next entries of all apps, the newest first. */
  async #take(sources, turn) {
    const isNeeded = () => turn === this.#turn;
    const waiting = [...sources];
    const fill = async () => {
      for (let source = waiting.shift(); source; source = waiting.shift()) await source.fill(isNeeded);
    };
    await Promise.all(Array.from({ length: 4 }, fill));
    const found = [];
    while (found.length < pageSize && isNeeded()) {
      let newest;
      for (const source of sources) {
        if (source.entries.length && (!newest || source.entries[0].event.recordedAt > newest.entries[0].event.recordedAt)) newest = source;
      }
      if (!newest) break;
      const entry = newest.entries.shift();
      const key = `${newest.app.center.appId}\n${told(entry.event).identifier}`;
      const title = entry.title || entry.body;
      if (title) this.#titles.set(key, title);
      found.push({ app: newest.app, entry, key });
      await newest.fill(isNeeded);
    }
    return found;
  }

  async #more() {
    const turn = this.#turn;
    const found = await this.#take(this.#sources, turn);
    if (turn !== this.#turn) return;
    this.#shown.push(...found);
    this.#append(found);
  }

  #draw() {
    const focused = document.activeElement?.closest(".line")?.dataset.number;
    this.body.replaceChildren();
    this.#day = undefined;
    this.#nameless = [];
    if (!this.#shown.length) {
      this.body.append(h("div.empty", {}, icon("clock"), h("p", {}, "Nothing found"), h("p.dim", {}, "What became of notifications is kept for some days.")));
    }
    this.#append(this.#shown);
    if (focused) this.body.querySelector(`[data-number="${CSS.escape(focused)}"] button`)?.focus();
    this.body.setAttribute("aria-busy", "false");
  }

  /** Shows further entries below those that are there, which stay as they are. */
  #append(entries) {
    // Each part has a card of its own, so that a browser looks at no older lines again.
    let place;
    for (const each of entries) {
      const start = startOfDay(each.entry.event.recordedAt);
      if (start.getTime() !== this.#day) {
        this.#day = start.getTime();
        place = undefined;
        const whole = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }).format(start);
        this.body.append(h("h2", {}, startOfDay(now()).getTime() === this.#day ? `Today, ${whole}` : whole));
      }
      const line = this.#line(each);
      place ??= this.body.appendChild(h("div.card"));
      place.append(line);
      if (!this.#titles.has(each.key)) this.#nameless.push({ each, line });
    }
    // An older entry may tell what a newer one is about.
    const isNamed = ({ each }) => this.#titles.has(each.key);
    for (const { each, line } of this.#nameless.filter(isNamed)) line.replaceWith(this.#line(each));
    this.#nameless = this.#nameless.filter((one) => !isNamed(one));
    const hasMore = this.#sources.some((source) => source.entries.length || !source.isDone);
    this.rest.replaceChildren(...(hasMore ? [button("Show more", attempt(() => this.#more()), "wide")] : []));
  }

  #line({ app, entry, key }) {
    const { event } = entry;
    const { identifier = "", kind, why } = told(event);
    const name = app.name || app.center.appId;
    const title = this.#titles.get(key) || identifier;
    return h("article.line", { "aria-label": `${timeOfDay(event.recordedAt)}, ${name}, ${title}, ${kind}`, "data-number": `${app.center.appId}/${event.number}` },
      h("span.when", {}, time(event.recordedAt, timeOfDay)), h("span.picture", {}, letter(app.center.appId, app.name)),
      h("span.grow", {}, words("span.what", title),
        h("span.dim.note2", {}, words("bdi", kind), " · ", words("bdi", name), why.some(Boolean) && [" · ", words("bdi", reasons(why))])),
      h("span.tools", {}, iconButton("eye", `The life of ${title}`, attempt(() => this.#life(app, identifier)), { title: "Its life" })));
  }

  /** Shows all that happened to a notification, from its beginning on. */
  async #life(app, identifier) {
    const { model } = this.#context;
    const entries = [];
    let pageToken;
    do {
      const page = await model.call("ListHistory", { appId: app.center.appId, identifier, pageSize: 1000, pageToken });
      entries.push(...(page.entries ?? []));
      pageToken = page.nextPageToken;
    } while (pageToken && entries.length < mostEntries);
    entries.reverse();
    const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
    const line = (instant, kind, why) => h("li", {}, h("time.dim", { datetime: instant.toISOString() }, exact.format(instant)), words("strong", kind), why && words("span", why));
    const lines = [];
    let added;
    for (const { event, title, body, addedAt } of entries) {
      // A request that was added anew begins again.
      if (addedAt && addedAt.getTime() !== added) {
        added = addedAt.getTime();
        lines.push(line(addedAt, "Added", title || body || ""));
      }
      const { kind, why, due } = told(event);
      if (due) lines.push(line(new Date(due), "Due"));
      lines.push(line(event.recordedAt, kind, reasons(why)));
    }
    const shown = this.#titles.get(`${app.center.appId}\n${identifier}`) || identifier;
    const window = dialog("Its life", [
      h("div.viewhead", {}, words("h2", shown), iconButton("close", "Close", () => window.close())),
      h("p.dim.lead", {}, words("bdi", app.name || app.center.appId), " · ", words("bdi", identifier)), h("ol.life", {}, lines),
    ], { kind: "wide-view" });
  }
}
