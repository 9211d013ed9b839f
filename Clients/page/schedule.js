// The form that schedules, with what it says and when it would fire, and the window that moves.

import { attempt, button, dialog, h, iconButton, near, now, toast, words } from "./dom.js";
import { asCommand, asCurl, asPython, instantOf, months, ordinals, planned, sentence, weekdays } from "./triggers.js";

const center = "belfry.v1.NotificationCenterService/";
const pause = 250;
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

const kinds = {
  in: "After a time", at: "At a time", every: "Every so often", days: "On days", cron: "Crontab", rrule: "Calendar rule",
};
const units = { in: ["seconds", "minutes", "hours", "days"], every: ["minutes", "hours", "days", "weeks", "months", "years"] };
const forms = { curl: "curl", command: "belfry", python: "Python" };
// Which fields a kind has.
const has = {
  in: ["amount"], at: ["start", "zone"], every: ["amount", "times"], days: ["which", "time", "zone", "until", "times"],
  cron: ["text", "zone", "until", "times"], rrule: ["text", "start", "zone", "until", "times"],
};
const ofWhich = { day: [], week: ["chosen"], month: ["day"], ordinal: ["ordinal"], year: ["day", "month"] };

const two = (number) => String(number).padStart(2, "0");
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const localText = (date) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

const input = (name, properties) => h("input", { name, id: `new-${name}`, ...properties });
const select = (name, offered, chosen) => h("select", { name, id: `new-${name}` },
  offered.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));

/** A line of the form; its words name the control. */
const line = (name, label, ...controls) => h("div.row", { "data-line": name },
  h("label.grow", { for: controls[0].id }, label), h("span.controls", {}, controls));

/** A window with a form for a new notification. */
export class ScheduleForm {
  #context;
  #ondone;
  #turn = 0;
  #timer;
  #form = "command";
  #made;

  constructor(context, apps, ondone) {
    this.#context = context;
    this.#ondone = ondone;
    const tomorrow = now();
    tomorrow.setDate(tomorrow.getDate() + 1);
    tomorrow.setHours(9, 0, 0, 0);
    const zone = context.model.state.timeZone || own;
    const zones = Intl.supportedValuesOf("timeZone");
    this.unit = { in: select("unit", units.in.map((unit) => [unit, unit]), "minutes"), every: select("unit-every", units.every.map((unit) => [unit, unit]), "days") };
    this.unit.every.setAttribute("aria-label", "Unit");
    this.unit.in.setAttribute("aria-label", "Unit");
    this.chips = weekdays.map((day) => h("button.day", {
      type: "button", "aria-pressed": String(!day.startsWith("s")), title: capital(day),
      onclick: ({ currentTarget: chip }) => (chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true")), this.#plan()),
    }, capital(day).slice(0, 3)));
    this.kinds = Object.entries(kinds).map(([kind, text]) => h("label.kind", {},
      h("input", { type: "radio", name: "kind", value: kind, checked: kind === "in" }), text));
    this.said = h("p.said", { role: "status" });
    this.dates = h("ol.dates", { "aria-label": "The next dates" });
    this.problem = h("p.problem", { role: "alert", hidden: true });
    this.written = h("pre.written", { tabindex: "0", "aria-label": "The same, to copy" });
    this.choose = Object.entries(forms).map(([form, text]) => h("button", {
      type: "button", "aria-pressed": String(form === this.#form), onclick: () => {
        this.#form = form;
        for (const [place, each] of Object.keys(forms).entries()) this.choose[place].setAttribute("aria-pressed", String(each === form));
        this.#write();
      },
    }, text));
    const weekday = select("weekday", weekdays.map((day) => [day, capital(day)]), "friday");
    weekday.setAttribute("aria-label", "Day of the week");
    this.submit = h("button.primary", { type: "submit" }, "Schedule");
    this.element = h("form.schedule", { oninput: () => this.#plan(), onsubmit: (event) => (event.preventDefault(), this.#add()), novalidate: true },
      line("title", "Title", input("title", { type: "text", dir: "auto", maxlength: "1000", autocomplete: "off" })),
      line("body", "Text", h("textarea", { name: "body", id: "new-body", dir: "auto", rows: "2", maxlength: "10000" })),
      line("app", "App", input("app", { type: "text", list: "new-apps", maxlength: "256", spellcheck: "false", autocomplete: "off", value: apps[0]?.center.appId ?? "" }),
        h("datalist", { id: "new-apps" }, apps.map(({ center, name }) => h("option", { value: center.appId }, name ?? "")))),
      h("fieldset.kinds", {}, h("legend.unseen", {}, "When"), this.kinds),
      line("amount", "How long", input("amount", { type: "number", min: "1", max: "100000", step: "1", value: "10" }), this.unit.in, this.unit.every),
      line("which", "Which days", select("which", [["day", "Every day"], ["week", "Days of the week"], ["month", "A day of each month"], ["ordinal", "As the last Friday"], ["year", "A day of each year"]], "week")),
      h("div.row", { "data-line": "chosen" }, h("span.days", { role: "group", "aria-label": "Days of the week" }, this.chips)),
      line("ordinal", "In each month", select("ordinal", ordinals.map(([name, number]) => [String(number), capital(name)]), "-1"), weekday),
      line("day", "Day", select("day", Array.from({ length: 31 }, (_, place) => [String(place + 1), String(place + 1)]), "1")),
      line("month", "Month", select("month", months.map((name, place) => [String(place + 1), name]), "1")),
      line("text", "As", input("text", { type: "text", maxlength: "2048", spellcheck: "false", autocomplete: "off" })),
      line("time", "Time", input("time", { type: "time", value: "09:00" })),
      line("start", "When", input("start", { type: "datetime-local", value: localText(tomorrow) })),
      line("zone", "Time zone", input("zone", { type: "text", list: "new-zones", value: zone, maxlength: "64", spellcheck: "false", placeholder: "The device’s" }),
        h("datalist", { id: "new-zones" }, zones.map((each) => h("option", { value: each })))),
      line("until", "Until", input("until", { type: "date" })),
      line("times", "How many times", input("times", { type: "number", min: "1", max: "100000", step: "1" })),
      h("div.preview", {}, this.said, this.dates, this.problem),
      h("div.row.ends", {}, h("span.grow"), this.submit),
      h("div.copied", {}, h("div.row", {}, h("span.choose", { role: "group", "aria-label": "Form of the text" }, this.choose), h("span.grow"),
        button("Copy", attempt(() => this.#copy()), "plain")), this.written));
    this.window = dialog("Schedule a notification", [h("div.viewhead", {}, h("h2", {}, "Schedule"), iconButton("close", "Close", () => this.window.close())), this.element],
      { kind: "wide-view", onclose: () => clearTimeout(this.#timer) });
    this.#plan();
    this.element.elements.title.focus();
  }

  get #kind() {
    return this.element.elements.kind.value;
  }

  get #fields() {
    const { amount, start, text, time, zone, until, times, which, day, ordinal, weekday, month } = this.element.elements;
    const kind = this.#kind;
    return {
      amount: amount.value, unit: (this.unit[kind] ?? this.unit.in).value, start: start.value, text: text.value, time: time.value,
      zone: zone.value.trim(), ownZone: this.#context.model.state.timeZone || own, until: until.value, times: times.value, which: which.value,
      day: Number(day.value), ordinal: Number(ordinal.value), weekday: weekday.value, month: Number(month.value),
      chosen: weekdays.filter((_, place) => this.chips[place].getAttribute("aria-pressed") === "true"),
    };
  }

  /** Shows the fields of the kind, and asks the server when it would fire. */
  #plan() {
    const kind = this.#kind;
    const fields = this.#fields;
    const hasStart = kind === "every" && !["minutes", "hours"].includes(fields.unit);
    const shown = new Set(["title", "body", "app", ...has[kind], ...(kind === "days" ? ofWhich[fields.which] : []), ...(hasStart ? ["start", "zone", "until"] : [])]);
    for (const place of this.element.querySelectorAll("[data-line]")) place.hidden = !shown.has(place.dataset.line);
    this.unit.in.hidden = kind !== "in";
    this.unit.every.hidden = kind !== "every";
    const label = (name, text) => (this.element.querySelector(`[data-line=${name}] label`).textContent = text);
    label("amount", kind === "every" ? "Every" : "After");
    label("start", kind === "at" ? "When" : kind === "every" ? "First" : "From");
    label("text", kind === "cron" ? "Line of a crontab" : "RRULE");
    this.element.elements.text.placeholder = kind === "cron" ? "0 9 * * 1-5" : "FREQ=MONTHLY;BYDAY=-1FR";
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    this.#made = undefined;
    try {
      const plan = planned(kind, fields);
      this.#made = { plan, message: this.#message(plan.trigger) };
    } catch (error) {
      this.#tell(error.message);
      return this.#write();
    }
    this.said.textContent = sentence(this.#made.plan.trigger);
    this.#write();
    this.#timer = setTimeout(() => this.#preview(turn), pause);
  }

  #message(trigger) {
    const { title, body, app } = this.element.elements;
    const content = { ...(title.value && { title: title.value }), ...(body.value && { body: body.value }) };
    const { id } = this.#context.model;
    return { center: { appId: app.value.trim(), ...(id && { deviceId: id }) }, request: { content, trigger } };
  }

  async #preview(turn) {
    const { message } = this.#made;
    try {
      const found = await this.#context.client.call(`${center}ListTriggerDates`, { center: message.center, trigger: message.request.trigger });
      if (turn !== this.#turn) return;
      const zone = found.timeZone || undefined;
      const format = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short", timeZone: known(zone) });
      this.dates.replaceChildren(...(found.dates ?? []).map((date) =>
        h("li", {}, h("time", { datetime: date.toISOString() }, format.format(date)))), found.hasMore ? h("li.dim.rest", {}, "and so on") : "");
      this.problem.hidden = true;
    } catch (error) {
      if (turn === this.#turn) this.#tell(error.message);
    }
  }

  #tell(text) {
    this.dates.replaceChildren();
    this.problem.textContent = text;
    this.problem.hidden = false;
  }

  #write() {
    const { message, plan } = this.#made ?? {};
    const as = { curl: () => asCurl(message, location.origin), command: () => asCommand(message, plan), python: () => asPython(message, plan) };
    this.written.textContent = message ? as[this.#form]() : "";
  }

  async #copy() {
    const range = document.createRange();
    range.selectNodeContents(this.written);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    // Only a page of this machine or over TLS has a clipboard.
    if (!navigator.clipboard) return toast("It is selected: copy it with the keys");
    await navigator.clipboard.writeText(this.written.textContent);
    toast("Copied");
  }

  async #add() {
    if (!this.#made) return this.problem.focus();
    this.submit.disabled = true;
    try {
      const { nextTriggerDate } = await this.#context.client.call(`${center}Add`, this.#made.message);
      this.window.close();
      toast(nextTriggerDate ? `Scheduled; next ${near(nextTriggerDate)}` : "Delivered");
      this.#ondone();
    } catch (error) {
      this.problem.textContent = error.message;
      this.problem.hidden = false;
    }
    this.submit.disabled = false;
  }
}

/** A zone that the browser knows; else its own. */
function known(zone) {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}

/** A window that gives a notification that fires once another date. */
export function move(context, where, request, date, ondone) {
  const field = input("to", { type: "datetime-local", value: localText(date) });
  const problem = h("p.problem", { role: "alert", hidden: true });
  const submit = h("button.primary", { type: "submit" }, "Move");
  const form = h("form.schedule", {
    novalidate: true,
    onsubmit: async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        if (!field.value) throw new Error("Say which day and time.");
        // A request with the identifier of another takes its place.
        await context.client.call(`${center}Add`, { ...where, request: { ...request, trigger: { at: instantOf(field.value, own) } } });
        window.close();
        toast("Moved");
        ondone();
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      }
      submit.disabled = false;
    },
  }, words("p.lead", request.content?.title || request.content?.body || request.identifier), line("to", "To", field), problem, h("div.row.ends", {}, h("span.grow"), submit));
  const window = dialog("Move", [h("div.viewhead", {}, h("h2", {}, "Move"), iconButton("close", "Close", () => window.close())), form]);
}
