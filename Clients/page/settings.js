// What the person chose, for the device and for each app.

import { attempt, button, h, iconButton, words } from "./dom.js";
import { letter } from "./center.js";
import * as push from "./push.js";

const on = "NOTIFICATION_SETTING_ENABLED";
const off = "NOTIFICATION_SETTING_DISABLED";
const days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
const dayName = (day) => `${day[0]}${day.slice(1, 3).toLowerCase()}`;

const switches = [
  ["alertSetting", "Alerts"], ["soundSetting", "Sounds"], ["badgeSetting", "Badges"],
  ["notificationCenterSetting", "In this list"], ["lockScreenSetting", "On the lock screen"],
  ["timeSensitiveSetting", "Time-sensitive", "Pass Focus and the scheduled summary"],
  ["criticalAlertSetting", "Critical alerts", "Also while muted"],
  ["scheduledDeliverySetting", "Wait for the scheduled summary"], ["directMessagesSetting", "Direct messages"],
  ["announcementSetting", "Read aloud"], ["carPlaySetting", "In the car"],
];
const choices = {
  alertStyle: ["Alert style", [["ALERT_STYLE_NONE", "None"], ["ALERT_STYLE_BANNER", "Banner"], ["ALERT_STYLE_ALERT", "Stays"]]],
  showPreviewsSetting: ["Show previews", [
    ["SHOW_PREVIEWS_SETTING_ALWAYS", "Always"], ["SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED", "When unlocked"],
    ["SHOW_PREVIEWS_SETTING_NEVER", "Never"],
  ]],
};
const groupings = [
  ["NOTIFICATION_GROUPING_AUTOMATIC", "Automatic"], ["NOTIFICATION_GROUPING_BY_APP", "By app"], ["NOTIFICATION_GROUPING_OFF", "Off"],
];

const clock = (minutes) => `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const minutesOf = (text) => {
  const [hours, minutes] = text.split(":").map(Number);
  return hours * 60 + minutes;
};

let places = 0;

/** A line with a control, which its words name. */
function row(label, control, hint) {
  control.id ||= `row-${places++}`;
  return h("div.row", {}, h("label.grow", { for: control.id }, label, hint && h("span.hint", {}, hint)), control);
}

const toggle = (isOn, change, properties) => h("input", {
  type: "checkbox", role: "switch", checked: isOn, ...properties,
  onchange: attempt((event) => change(event.target.checked)),
});

function select(chosen, offered, change) {
  return h("select", { value: undefined, onchange: attempt((event) => change(event.target.value)) },
    offered.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

export class SettingsView {
  #model;
  #stop = new AbortController();
  #open = new Set();
  #push = h("div", {});
  #sign;

  constructor({ model }) {
    this.#model = model;
    this.element = h("main.settings", { id: "main" });
    this.#drawPush();
    model.addEventListener("change", () => this.#draw(), { signal: this.#stop.signal });
    this.#draw();
  }

  close() {
    this.#stop.abort();
  }

  #draw() {
    const { state, apps } = this.#model;
    const sign = JSON.stringify([state, [...apps.values()].map(({ badge, asOfEvent, ...shown }) => shown)]);
    if (sign === this.#sign) return;
    this.#sign = sign;
    const focused = document.activeElement?.dataset.name;
    places = 0;
    this.element.replaceChildren(h("h1", {}, "This device"), this.#device(state), h("h1", {}, "Focus"), this.#focus(state),
      h("h1", {}, "Scheduled summary"), this.#summary(state), h("h1", {}, "Apps"),
      apps.size ? h("div.card", {}, [...apps.values()].map((app) => this.#app(app)))
        : h("p.dim.lead", {}, "No app has registered on this device."));
    if (focused) this.element.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Sets a field of the device; what was drawn before it failed is drawn again. */
  async #set(state, mask) {
    try {
      await this.#model.update(state, mask);
    } catch (error) {
      this.#sign = undefined;
      this.#draw();
      throw error;
    }
  }

  #device({ muted, timeZone, languages = [] }) {
    const zones = h("datalist", { id: "zones" }, Intl.supportedValuesOf("timeZone").map((zone) => h("option", { value: zone })));
    const zone = h("input", {
      type: "text", list: "zones", value: timeZone ?? "", placeholder: "The server’s", maxlength: "64", spellcheck: "false",
      "data-name": "zone", onchange: attempt((event) => this.#set({ timeZone: event.target.value.trim() })),
    });
    const spoken = h("input", {
      type: "text", value: languages.join(", "), placeholder: navigator.languages.join(", "), spellcheck: "false", "data-name": "languages",
      onchange: attempt((event) => this.#set({ languages: event.target.value.split(",").map((each) => each.trim()).filter(Boolean) })),
    });
    return h("div.card", {},
      row("Mute", toggle(muted, (isOn) => this.#set({ muted: isOn }), { "data-name": "mute" }), "Only critical sounds are played"),
      this.#push,
      row("Languages", spoken, "The best first, as de, en-GB"), row("Time zone", zone), zones);
  }

  /** Whether this browser is told while the page is closed; what keeps it from that is said. */
  async #drawPush() {
    const { isOn, obstacle } = await push.read(this.#model);
    const change = async (wanted) => {
      try {
        await (wanted ? push.turnOn(this.#model) : push.turnOff(this.#model));
      } finally {
        await this.#drawPush();
      }
    };
    const made = toggle(isOn, change, { "data-name": "push", disabled: Boolean(obstacle) && !isOn });
    const drawn = row("Tell me while this page is closed", made, obstacle ?? "What the locked device shows is told");
    this.#push.replaceWith(drawn);
    this.#push = drawn;
  }

  /* Focus */

  #focus({ focus, activeFocus }) {
    const set = (change) => this.#set({ focus: { ...focus, ...change } }, "focus");
    const turn = (isOn) => this.#set(isOn ? { focus: { name: "Do not disturb" } } : {}, "focus");
    const hint = !focus ? "All but what you allow is listed silently" : activeFocus ? "It is on now" : "Its schedule turns it on";
    const parts = [row("Focus", toggle(Boolean(focus), turn, { "data-name": "focus" }), hint)];
    if (focus) {
      const { schedule = [], allowedApps = [] } = focus;
      parts.push(
        row("Name", h("input", { type: "text", dir: "auto", value: focus.name ?? "", maxlength: "256", "data-name": "focus-name", onchange: attempt((event) => set({ name: event.target.value })) })),
        row("Let time-sensitive notifications through", toggle(focus.allowTimeSensitive, (isOn) => set({ allowTimeSensitive: isOn }), { "data-name": "focus-sensitive" })),
        this.#chosenApps("Let these apps through", allowedApps, (chosen) => set({ allowedApps: chosen })),
        ...schedule.map((window, place) => this.#window(window, (changed) =>
          set({ schedule: changed ? schedule.with(place, changed) : schedule.toSpliced(place, 1) }))),
        h("div.row", {}, h("span.grow.dim", {}, schedule.length ? "" : "On until you turn it off"),
          button("Add hours", attempt(() => set({ schedule: [...schedule, { from: 22 * 60, to: 7 * 60 }] })), "", { "data-name": "focus-add" })));
    }
    return h("div.card", {}, parts);
  }

  #window(window, change) {
    const { weekdays = [], from = 0, to = 0 } = window;
    const chips = days.map((day) => {
      const name = `WEEKDAY_${day}`;
      const isChosen = weekdays.includes(name);
      return h("button.day", {
        type: "button", "aria-pressed": String(isChosen), title: day[0] + day.slice(1).toLowerCase(),
        onclick: attempt(() => change({ ...window, weekdays: isChosen ? weekdays.filter((each) => each !== name) : [...weekdays, name] })),
      }, dayName(day));
    });
    const time = (value, name, says) => h("input.time", {
      type: "time", value: clock(value), "aria-label": says, required: true,
      onchange: attempt((event) => event.target.value && change({ ...window, [name]: minutesOf(event.target.value) })),
    });
    return h("div.row.window", {}, h("span.days", { role: "group", "aria-label": "Days; none is every day" }, chips),
      h("span.hours", {}, time(from, "from", "From"), "–", time(to, "to", "To"),
        iconButton("close", "Remove these hours", attempt(() => change(undefined)))));
  }

  #chosenApps(label, chosen, change) {
    const known = new Set([...this.#model.apps.keys(), ...chosen]);
    if (!known.size) return undefined;
    return h("details.pick", {}, h("summary", {}, h("span.grow", {}, label), h("span.dim", {}, chosen.length ? String(chosen.length) : "None")),
      h("div.checks", {}, [...known].map((id) => h("label.check", {},
        h("input", { type: "checkbox", checked: chosen.includes(id), onchange: attempt((event) =>
          change(event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))) }),
        words("bdi", this.#model.name({ appId: id }))))));
  }

  #summary({ summary = {} }) {
    const { enabled, times = [], apps = [] } = summary;
    const set = (change) => this.#set({ summary: { ...summary, ...change } }, "summary");
    const parts = [row("Summary", toggle(enabled, (isOn) => set({ enabled: isOn, times: times.length ? times : [8 * 60, 18 * 60] }),
      { "data-name": "summary" }), "Collects what can wait for these times")];
    if (enabled) {
      parts.push(...times.map((minutes, place) => h("div.row", {}, h("span.grow", {}, `At`),
        h("input.time", {
          type: "time", value: clock(minutes), "aria-label": "Time of the summary", required: true,
          onchange: attempt((event) => event.target.value && set({ times: times.with(place, minutesOf(event.target.value)) })),
        }),
        times.length > 1 && iconButton("close", "Remove this time", attempt(() => set({ times: times.toSpliced(place, 1) }))))),
      h("div.row", {}, h("span.grow"), button("Add a time", attempt(() => set({ times: [...times, 12 * 60] })))),
      this.#chosenApps("Collect from these apps", apps, (chosen) => set({ apps: chosen })));
    }
    return h("div.card", {}, parts);
  }

  /* Apps */

  #app(app) {
    const { center, name, settings = {}, grouping = "NOTIFICATION_GROUPING_AUTOMATIC" } = app;
    const id = center.appId;
    const status = settings.authorizationStatus ?? "AUTHORIZATION_STATUS_NOT_DETERMINED";
    const says = {
      AUTHORIZATION_STATUS_AUTHORIZED: "On", AUTHORIZATION_STATUS_DENIED: "Off", AUTHORIZATION_STATUS_PROVISIONAL: "Quietly",
      AUTHORIZATION_STATUS_EPHEMERAL: "For a time", AUTHORIZATION_STATUS_NOT_DETERMINED: "Has not asked",
    }[status];
    const picture = h("span.picture", {}, letter(id, name));
    if (app.iconAttachmentId) this.#icon(picture, id, app.iconAttachmentId);
    const made = h("details.app", { open: this.#open.has(id), ontoggle: ({ target }) => (target.open ? this.#open.add(id) : this.#open.delete(id)) },
      h("summary", { "data-name": `app-${id}` }, picture, words("span.grow", name || id), h("span.dim", {}, says)));
    if (status === "AUTHORIZATION_STATUS_NOT_DETERMINED") {
      made.append(h("p.dim.lead", {}, "It can be set once the app has asked."));
      return made;
    }
    const set = async (values, more) => {
      try {
        await this.#model.call("UpdateSettings", {
          center: { appId: id, deviceId: this.#model.id }, settings: values, updateMask: Object.keys(values).join(",") || undefined, ...more,
        });
      } catch (error) {
        this.#sign = undefined;
        this.#draw();
        throw error;
      }
    };
    const isAllowed = status !== "AUTHORIZATION_STATUS_DENIED";
    made.append(row("Allow notifications", toggle(isAllowed, (isOn) => set({
      authorizationStatus: `AUTHORIZATION_STATUS_${isOn ? "AUTHORIZED" : "DENIED"}`,
    }), { "data-name": `allow-${id}` })));
    for (const [field, label, hint] of switches) {
      if (settings[field]) {
        made.append(row(label, toggle(settings[field] === on, (isOn) => set({ [field]: isOn ? on : off }), { "data-name": `${field}-${id}` }), hint));
      }
    }
    for (const [field, [label, offered]] of Object.entries(choices)) {
      made.append(row(label, select(settings[field] ?? offered[0][0], offered, (value) => set({ [field]: value }))));
    }
    made.append(row("Group", select(grouping, groupings, (value) => set({}, { grouping: value }))));
    if (settings.providesAppNotificationSettings) {
      made.append(h("div.row", {}, h("span.grow"), button("Settings in the app",
        attempt(() => this.#model.call("OpenSettings", { center: { appId: id, deviceId: this.#model.id } })))));
    }
    return made;
  }

  async #icon(place, appId, file) {
    const found = await this.#model.file(appId, file);
    if (!found?.type.startsWith("image/")) return;
    const shown = document.createElement("img");
    shown.alt = "";
    shown.src = found.url;
    place.replaceChildren(shown);
  }
}
