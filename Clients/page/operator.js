// The server, for who may look after it: what it does, what is wrong with it, its clock and backups.

import { attempt, button, dialog, failed, h, iconButton, near, setNow, span, time, toast, words } from "./dom.js";

const admin = "belfry.v1.AdminService/";
const kept = 300;
const every = 2000;

const bytes = (count) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (count >= 1024 && unit < 4) (count /= 1024, unit++);
  return `${count < 10 && unit ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
};
const count = (number) => Math.round(number).toLocaleString();
const rate = (number) => `${number && number < 10 ? number.toFixed(1) : count(number)}/s`;
const millis = (duration) => parseFloat(duration ?? "0") * 1000;
const length = (milliseconds) => (milliseconds < 1000 ? `${milliseconds.toFixed(milliseconds && milliseconds < 10 ? 1 : 0)} ms` : span(milliseconds / 1000));

const advice = {
  CONDITION_CLOCK_NOT_SET: "The machine’s clock was never set: what waits for a date does not fire until it is.",
  CONDITION_STORE_FULL: "The store is full: adds are refused, while removals and what is due go on.",
  CONDITION_DUE_WORK_WAITS: "The store’s reserve is used up: what is due waits until there is room.",
  CONDITION_ROWS_DAMAGED: "Rows of the store are damaged: the calls that need them are refused.",
  CONDITION_OVERLOADED: "Too many calls wait: some were refused within the last minute.",
  CONDITION_CALLER_AT_LIMIT: "A caller has all that it may have, and was refused within the last minute.",
};

const plots = [
  ["Added", "adds", rate], ["Fired", "fired", rate], ["Lateness, p99", "late", length], ["Commands waiting", "queue", count],
  ["Subscribers", "subscriptions", count], ["Calls refused", "refused", rate], ["Store", "used", bytes], ["Pending", "pending", count],
];

/** Reads the statistics for as long as the page lives, so that each plot goes back to its beginning. */
export class Meter extends EventTarget {
  points = [];
  stats;
  problem;
  #client;

  constructor(client) {
    super();
    this.#client = client;
    this.#read();
  }

  async #read() {
    for (;;) {
      try {
        this.#take(await this.#client.call(`${admin}GetStats`, {}, { timeout: 10_000 }));
        this.problem = undefined;
      } catch (error) {
        this.problem = error;
        if (["UNAUTHENTICATED", "PERMISSION_DENIED"].includes(error.code)) return;
      }
      this.dispatchEvent(new Event("change"));
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  }

  #take(stats) {
    const { counters = {}, lateness = {}, queue = {}, store = {}, subscriptions = 0 } = stats;
    const at = performance.now();
    const totals = { adds: counters.adds ?? 0, fired: counters.fired ?? 0, refused: counters.refusedCalls ?? 0 };
    const passed = this.last && (at - this.last.at) / 1000;
    // A server that started anew counts from 0.
    const each = (name) => (passed ? Math.max(0, totals[name] - this.last.totals[name]) / passed : 0);
    this.last = { at, totals };
    this.stats = stats;
    this.points.push({
      adds: each("adds"), fired: each("fired"), refused: each("refused"), late: millis(lateness.p99), queue: queue.length ?? 0,
      subscriptions, used: store.usedBytes ?? 0, pending: store.pending ?? 0,
    });
    if (this.points.length > kept) this.points.shift();
  }
}

const drawing = "http://www.w3.org/2000/svg";

export class OperatorView {
  #context;
  #stop = new AbortController();

  constructor(context) {
    this.#context = context;
    context.meter ??= new Meter(context.client);
    this.conditions = h("div.conditions");
    this.facts = h("dl.facts");
    this.refusals = h("div.refusals");
    this.plots = plots.map(([label, field, format]) => {
      const line = document.createElementNS(drawing, "svg");
      line.setAttribute("preserveAspectRatio", "none");
      line.setAttribute("aria-hidden", "true");
      const area = document.createElementNS(drawing, "path");
      line.append(area);
      const value = h("span.value", {}, "–");
      return { field, format, area, line, value, element: h("div.plot", {}, h("div.plothead.dim", {}, label), value, line) };
    });
    this.callers = h("div");
    this.damage = h("div");
    this.clock = h("div");
    this.tokens = h("div");
    this.element = h("main.operator", { id: "main" }, h("h1", {}, "Server"), this.conditions,
      h("div.plots", {}, this.plots.map(({ element }) => element)), h("h1", {}, "About it"), h("div.card", {}, this.facts),
      this.refusals, this.damage, this.callers, h("h1", {}, "Tokens"), this.tokens, this.#makeToken(), h("h1", {}, "Push"), this.#push(), h("h1", {}, "Backup"), this.#backup(), this.clock);
    this.#list().catch(failed);
    this.#listTokens().catch(failed);
    context.meter.addEventListener("change", () => this.#draw(), { signal: this.#stop.signal });
    this.#draw();
    if (context.info.clock?.kind === "CLOCK_KIND_MANUAL") this.#drawClock(context.info.clock);
  }

  close() {
    this.#stop.abort();
  }

  #draw() {
    const { stats, points, problem } = this.#context.meter;
    if (!stats) return;
    const told = stats.conditions ?? [];
    const says = problem ? [["", problem.message]] : told.map((name) => [name, advice[name] ?? name]);
    const sign = JSON.stringify(says);
    if (this.conditions.dataset.sign !== sign) {
      this.conditions.dataset.sign = sign;
      this.conditions.replaceChildren(...(says.length
        ? says.map(([name, text]) => h("p.condition", { role: "alert" }, name && h("strong", {}, `${name.replace("CONDITION_", "")}: `), text))
        : [h("p.fine", {}, "All is well.")]));
    }
    for (const { field, format, area, line, value, element } of this.plots) {
      const values = points.map((point) => point[field]);
      const most = Math.max(...values);
      const text = format(values.at(-1));
      if (value.textContent !== text) value.textContent = text;
      element.title = `At most ${format(most)} in the last ${span((values.length * every) / 1000)}`;
      const width = Math.max(30, values.length) - 1;
      const start = width - values.length + 1;
      const steps = values.map((each, place) => `${start + place},${(39 - (each / (most || 1)) * 36).toFixed(2)}`);
      line.setAttribute("viewBox", `0 0 ${width} 40`);
      // One value alone is no line.
      if (values.length > 1) area.setAttribute("d", `M${start},40 L${steps.join(" L")} L${width},40 Z`);
    }
    this.#drawFacts(stats);
  }

  #drawFacts({ startedAt, store = {}, counters = {}, lateness = {}, queue = {} }) {
    const { version, profile = "" } = this.#context.info;
    const pushes = ["Sent", "Failed", "Dropped"].map((end) => counters[`webPushes${end}`] ?? 0);
    const facts = [
      ["Version", `${version}, ${profile.replace("PROFILE_", "").toLowerCase()}`],
      ["Started", startedAt && near(startedAt)],
      ["Store", `${bytes(store.usedBytes ?? 0)} of ${bytes(store.limitBytes ?? 0)}; ${bytes(store.freeDiskBytes ?? 0)} free on its disk`],
      ["Requests", `${count(store.pending ?? 0)} pending, ${count(store.delivered ?? 0)} delivered`],
      ["Since then", `${count(counters.adds ?? 0)} added, ${count(counters.fired ?? 0)} fired, ${count(counters.missed ?? 0)} missed, ${count(counters.suppressed ?? 0)} suppressed`],
      ["Lateness", lateness.count && `half within ${length(millis(lateness.p50))}, the latest ${length(millis(lateness.max))}`],
      ["Told by Web Push", pushes.some(Boolean) && `${count(pushes[0])} sent, ${count(pushes[1])} failed, ${count(pushes[2])} not needed any more`],
      ["Queue", `the longest was ${count(queue.longest ?? 0)} of ${count(queue.capacity ?? 0)}`],
    ].filter(([, text]) => text);
    const sign = JSON.stringify([facts, counters.refusedCallsByReason]);
    if (this.facts.dataset.sign === sign) return;
    this.facts.dataset.sign = sign;
    this.facts.replaceChildren(...facts.map(([name, text]) => h("div.row", {}, h("dt.grow", {}, name), h("dd", {}, text))));
    const refused = counters.refusedCallsByReason ?? [];
    this.refusals.replaceChildren(...(refused.length ? [h("h1", {}, "Refused calls"), h("div.card", {}, refused.map(({ reason, count: times = 0 }) =>
      h("div.row", {}, h("code.grow", {}, reason), h("span", {}, count(times)))))] : []));
  }

  /** Who has limits, with what they have of them, and the rows that cannot be read. */
  async #list() {
    const { client } = this.#context;
    const callers = [];
    let page = {};
    do {
      page = await client.call(`${admin}ListCallers`, { pageSize: 1000, pageToken: page.nextPageToken });
      callers.push(...(page.callers ?? []));
    } while (page.nextPageToken && callers.length < 5000);
    const { appLimit = 0, fileByteLimit = 0, storeByteLimit = 0 } = page;
    const share = (used = 0, limit, text, says) => h("span.share", {}, h("span.dim", {}, text), h("progress", { max: String(limit || 1), value: used, "aria-label": says }));
    if (callers.length) {
      this.callers.replaceChildren(h("h1", {}, "What callers have"), h("div.card", {}, callers.map(({ name, appCount = 0, fileBytes = 0, storeBytes = 0 }) =>
        h("div.row.wrap", {}, words("span.grow", name),
          share(appCount, appLimit, `${count(appCount)} of ${count(appLimit)} apps`, `Apps of ${name}`),
          share(storeBytes, storeByteLimit, `${bytes(storeBytes)} of ${bytes(storeByteLimit)} stored`, `Store of ${name}`),
          share(fileBytes, fileByteLimit, `${bytes(fileBytes)} of ${bytes(fileByteLimit)} in files`, `Files of ${name}`)))));
    }
    const { rows = [] } = await client.call(`${admin}ListDamagedRows`);
    if (rows.length) {
      this.damage.replaceChildren(h("h1", {}, "Damaged rows"), h("div.card", {}, rows.map(({ table = "", key = "", problem }) =>
        h("div.row.wrap", {}, words("code.grow", `${table} ${key}`), words("span", problem)))));
    }
  }

  async #listTokens() {
    const { tokens = [] } = await this.#context.client.call(`${admin}ListTokens`);
    this.tokens.replaceChildren(tokens.length ? h("div.card", {}, tokens.map((token) => {
      const { id, name, roles = [], expiresAt } = token;
      const over = expiresAt && expiresAt <= new Date();
      return h("div.row.wrap.token", {}, words("span.grow", name, { title: id }), words("code", roles.join(" ")),
        h("span.dim", {}, expiresAt ? [over ? "expired " : "until ", time(expiresAt, (date) => date.toLocaleString())] : "until revoked"),
        button("Revoke", () => this.#revoke(token), "destructive", { "aria-label": `Revoke ${name}` }));
    })) : h("p.dim", {}, "There are none but that of the server’s own user."));
  }

  #revoke({ id, name }) {
    const shown = dialog("Revoke a token", [
      h("div.viewhead", {}, h("h2", {}, "Revoke ", words("bdi", name), "?"), iconButton("close", "Close", () => shown.close())),
      h("p.row", {}, "Who has it is signed out at once, and their calls are refused."),
      h("div.row", {}, h("span.grow"), button("Keep it", () => shown.close()), button("Revoke it", attempt(async () => {
        await this.#context.client.call(`${admin}RevokeToken`, { id });
        shown.close();
        toast("It is revoked");
        await this.#listTokens();
      }), "destructive"))]);
  }

  /** A form that makes a token, which is shown once. */
  #makeToken() {
    const line = (name, label, made) => {
      made.id = `token-${name}`;
      return h("div.row", {}, h("label.grow", { for: made.id }, label), made);
    };
    const choice = (offered) => h("select", {}, offered.map(([value, text]) => h("option", { value }, text)));
    const text = (properties) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...properties });
    const name = text({ maxlength: "64", required: true });
    const role = choice(["app", "device", "provider", "extension", "metrics", "admin"].map((each) => [each, each]));
    const scope = text({ maxlength: "155", placeholder: "all" });
    const scopeLine = line("scope", "For", scope);
    const label = scopeLine.firstChild;
    const expires = choice([[2_592_000, "30 days"], [86_400, "1 day"], [7_776_000, "90 days"], [31_536_000, "1 year"], ["", "until it is revoked"]]);
    const tell = () => {
      scopeLine.hidden = ["metrics", "admin"].includes(role.value);
      label.textContent = role.value === "device" ? "For the device" : "For the app, or its beginning with a *";
    };
    role.addEventListener("change", tell);
    tell();
    const make = attempt(async (event) => {
      event.preventDefault();
      const only = scopeLine.hidden ? "" : scope.value.trim();
      const { text: secret } = await this.#context.client.call(`${admin}CreateToken`, {
        name: name.value.trim(), roles: [only ? `${role.value}:${only}` : role.value],
        ...(expires.value && { expiresIn: `${expires.value}s` }),
      });
      this.#show(name.value.trim(), secret, role.value === "device" && !only.endsWith("*") ? only : "");
      name.value = "";
      await this.#listTokens();
    });
    return h("form.card.maketoken", { onsubmit: make }, line("name", "Name", name), line("role", "Role", role), scopeLine,
      line("expires", "Counts for", expires), h("div.row", {}, h("span.grow"), h("button", { type: "submit" }, "Make a token")));
  }

  #show(name, secret, device) {
    const shown = h("input", { type: "text", readonly: true, value: secret, "aria-label": "The token" });
    const link = `${location.origin}/#sign-in=${secret}${device && `&device=${encodeURIComponent(device)}`}`;
    const copy = (text) => attempt(async () => {
      shown.value = text;
      shown.select();
      // Only a page of this machine or over TLS has a clipboard.
      if (!navigator.clipboard) return toast("It is selected: copy it with the keys");
      await navigator.clipboard.writeText(text);
      toast("Copied");
    });
    const picture = h("div.row");
    import("./qr.js").then(({ drawCode }) => drawCode(link, "A code of the link that signs in")).then((code) => picture.append(code)).catch(failed);
    const window = dialog("The new token", [
      h("div.viewhead", {}, h("h2", {}, "The token of ", words("bdi", name)), iconButton("close", "Close", () => window.close())),
      h("p.row", {}, "It is shown this once. Who has it, or its link, may do what its role may."), h("div.row.secret", {}, shown),
      picture,
      h("div.row.wrap", {}, button("Copy", copy(secret)), button("Copy a link that signs in", copy(link)), h("span.grow"),
        button("Done", () => window.close(), "primary"))]);
  }

  /** A form that pushes to an app of a device, as a provider does. */
  #push() {
    const field = (name, label, properties) => {
      const made = h("input", { type: "text", id: `push-${name}`, autocomplete: "off", ...properties });
      return [made, h("div.row", {}, h("label.grow", { for: made.id }, label), made)];
    };
    const [app, appLine] = field("app", "App", { maxlength: "155", spellcheck: "false", required: true });
    const [device, deviceLine] = field("device", "Device", { maxlength: "128", spellcheck: "false", placeholder: "local", value: this.#context.device });
    const [title, titleLine] = field("title", "Title", { maxlength: "1000", dir: "auto" });
    const [text, textLine] = field("text", "Text", { maxlength: "2000", dir: "auto" });
    const [collapse, collapseLine] = field("id", "Identifier", { maxlength: "64", spellcheck: "false" });
    const push = attempt(async (event) => {
      event.preventDefault();
      const alert = { ...(title.value && { title: title.value }), ...(text.value && { body: text.value }) };
      const { outcome = "", identifier } = await this.#context.client.call("belfry.v1.PushService/Push", {
        center: { appId: app.value.trim(), deviceId: device.value.trim() }, headers: { collapseId: collapse.value.trim() },
        payloadJson: JSON.stringify({ aps: { alert } }),
      });
      const became = outcome.replace("PUSH_OUTCOME_", "").toLowerCase();
      toast(`${identifier || "The push"} is ${became}`);
    });
    return h("form.card", { onsubmit: push }, appLine, deviceLine, titleLine, textLine, collapseLine,
      h("div.row", {}, h("span.grow"), h("button", { type: "submit" }, "Push")));
  }

  #backup() {
    const told = h("span.grow.dim", {}, "A copy of the whole store, while it serves");
    const bar = h("progress", { max: "1", value: 0, hidden: true, "aria-label": "Progress of the backup" });
    const start = button("Back up now", attempt(async () => {
      start.disabled = true;
      bar.hidden = false;
      try {
        for await (const { progress, backup } of this.#context.client.stream(`${admin}Backup`, {})) {
          if (progress) bar.value = (progress.copiedBytes ?? 0) / Math.max(1, progress.totalBytes ?? 1);
          if (backup) {
            told.replaceChildren(words("bdi", backup.path), ` · ${bytes(backup.sizeBytes ?? 0)}`);
            toast("The backup is on disk");
          }
        }
      } finally {
        start.disabled = false;
        bar.hidden = true;
      }
    }));
    return h("div.card", {}, h("div.row", {}, told, start), bar);
  }

  /** A clock that is moved by hand, as in a trial. */
  #drawClock(clock) {
    const advance = (target) => attempt(async () => {
      const { clock: moved, fired = 0 } = await this.#context.client.call(`${admin}AdvanceClock`, { ...target, expireCallbacks: true });
      setNow(moved.now);
      toast(`${fired} fired`);
      this.#drawClock(moved);
    });
    const steps = [["1 minute", 60], ["1 hour", 3600], ["1 day", 86_400], ["1 week", 604_800]];
    this.clock.replaceChildren(h("h1", {}, "Clock"), h("div.card", {}, h("div.row", {},
      h("span.grow", {}, "The server’s time"), time(clock.now, (date) => date.toLocaleString())),
    h("div.row.wrap", {}, steps.map(([text, seconds]) => button(`+ ${text}`, advance({ by: `${seconds}s` }))),
      button("To what is due next", advance({ toNextDue: {} })))));
  }
}
