// What fires when, of all apps, day by day.

import { attempt, button, failed, h, iconButton, near, now, startOfDay, time, timeOfDay, toast, words } from "./dom.js";
import { letter } from "./center.js";
import { ScheduleForm, move } from "./schedule.js";
import { sentence } from "./triggers.js";

const center = "belfry.v1.NotificationCenterService/";
const windows = { day: ["A day", 86_400], week: ["A week", 7 * 86_400], month: ["A month", 31 * 86_400] };
const mostShown = 300;
export class UpcomingView {
  #context;
  #window = "week";
  #timer;
  #entries;
  #pending = 0;
  #isPartial = false;

  constructor(context) {
    this.#context = context;
    this.body = h("div.timeline", { role: "group", "aria-label": "Upcoming", "aria-busy": "true" });
    const choose = Object.entries(windows).map(([id, [name]]) => h("button", {
      type: "button", "aria-pressed": String(id === this.#window),
      onclick: ({ currentTarget }) => {
        for (const each of choose) each.setAttribute("aria-pressed", String(each === currentTarget));
        this.#window = id;
        this.#read().catch(failed);
      },
    }, name));
    this.head = h("h1.grow", {}, "Upcoming");
    const add = button("Schedule", attempt(async () => new ScheduleForm(this.#context, await this.#apps(), () => this.#read().catch(failed))), "primary");
    this.element = h("main.upcoming", { id: "main" },
      h("div.viewbar", {}, this.head, h("div.choose", { role: "group", "aria-label": "How far ahead" }, choose), add), this.body);
    this.#read().catch(failed);
    this.#timer = setInterval(() => document.hidden || this.#read().catch(() => {}), 5000);
  }

  close() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #read() {
    const { client, model } = this.#context;
    const window = this.#window;
    const turn = ++this.#pending;
    const apps = await this.#apps();
    const entries = [];
    let isPartial = false;
    const read = async () => {
      for (let app = apps.shift(); app; app = apps.shift()) {
        let pageToken;
        do {
          const page = await client.call(`${center}ListUpcoming`, {
            center: { appId: app.center.appId, deviceId: model.id }, window: `${windows[window][1]}s`,
            datesPerRequest: 31, pageSize: 200, pageToken,
          });
          for (const { request, dates, hasMore } of page.requests ?? []) {
            dates.forEach((date, place) => entries.push({ app, request, date, place, isLast: hasMore && place === dates.length - 1 }));
          }
          pageToken = page.nextPageToken;
          if (entries.length > 3000 && pageToken) (isPartial = true, pageToken = undefined);
        } while (pageToken);
      }
    };
    await Promise.all([read(), read(), read()]);
    if (turn !== this.#pending || !this.#timer) return;
    this.#isPartial = isPartial;
    this.#entries = entries.sort((one, other) => one.date - other.date);
    this.#draw();
  }

  async #apps() {
    const { model } = this.#context;
    const found = [];
    let pageToken;
    do {
      const page = await model.call("ListApps", { pageSize: 1000, pageToken });
      found.push(...(page.apps ?? []));
      pageToken = page.nextPageToken;
    } while (pageToken && found.length < 5000);
    return found;
  }

  #draw() {
    const sign = JSON.stringify([this.#window, this.#entries.map(({ app, request, date }) => [app.name, request.identifier, request.content?.title, date])]);
    this.body.setAttribute("aria-busy", "false");
    if (this.body.dataset.sign === sign) return;
    this.body.dataset.sign = sign;
    const entries = this.#entries.slice(0, mostShown);
    const parts = [];
    let day;
    let place;
    for (const entry of entries) {
      const start = startOfDay(entry.date);
      if (start.getTime() !== day) {
        day = start.getTime();
        place = h("div.card");
        parts.push(h("h2", {}, this.#dayName(start)), place);
      }
      place.append(this.#line(entry));
    }
    if (!entries.length) {
      parts.push(h("div.empty", {}, h("p", {}, "Nothing is due"), h("p.dim", {}, `No app has something that fires within ${windows[this.#window][0].toLowerCase()}.`)));
    } else if (this.#entries.length > mostShown || this.#isPartial) {
      parts.push(h("p.dim.lead", {}, `The first ${mostShown} are shown.`));
    }
    this.body.replaceChildren(...parts);
  }

  #dayName(start) {
    const days = Math.round((start - startOfDay(now())) / 86_400_000);
    const whole = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }).format(start);
    return days === 0 ? `Today, ${whole}` : days === 1 ? `Tomorrow, ${whole}` : whole;
  }

  #line({ app, request, date, place, isLast }) {
    const { client, model } = this.#context;
    const { identifier, content = {}, trigger } = request;
    const where = { center: { appId: app.center.appId, deviceId: model.id } };
    const name = app.name || app.center.appId;
    const skip = attempt(async () => {
      const { nextTriggerDate } = await client.call(`${center}SkipNext`, { ...where, identifier });
      toast(nextTriggerDate ? `Skipped; next ${near(nextTriggerDate)}` : "Skipped: that was the last");
      await this.#read();
    });
    const remove = attempt(async () => {
      await client.call(`${center}RemovePending`, { ...where, identifiers: [identifier] });
      toast("Removed");
      await this.#read();
    });
    return h("article.line", { "aria-label": `${timeOfDay(date)}, ${name}, ${content.title || identifier}` },
      h("span.when", {}, time(date, timeOfDay)), h("span.picture", {}, letter(app.center.appId, app.name)),
      h("span.grow", {}, words("span.what", content.title || content.body || identifier),
        h("span.dim.note2", {}, words("bdi", name), " · ", words("bdi", sentence(trigger) || "Once"), isLast && " · and more")),
      place === 0 && h("span.tools", {}, 
        trigger?.repeats ? button("Skip", skip, "plain")
          : button("Move", () => move(this.#context, where, request, date, () => this.#read().catch(failed)), "plain"),
         iconButton("close", "Remove", remove)));
  }
}
