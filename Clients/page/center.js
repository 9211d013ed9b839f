// The notification center: prompts, banners, groups and what is snoozed.

import { attempt, button, dialog, failed, h, icon, iconButton, near, now, startOfDay, tell, time, timeOfDay, toast, words } from "./dom.js";
import { keyOf, shownViews } from "./device.js";

const mostGroups = 60;
const mostInGroup = 40;
// The milliseconds between two drawings, where more and more comes.
const leastPause = 60;

export const keys = [
  ["↑ ↓, k j", "Move; so do home, end, page up and page down"],
  ["enter", "Open: tap the notification"],
  ["v", "View it closer, to its end"],
  ["1 – 9", "Press that action; a the first"],
  ["r", "Reply"],
  ["space", "Expand or collapse the group"],
  ["z", "Snooze for 10 minutes"],
  ["x", "Dismiss the notification, or all of a collapsed group"],
  ["X", "Clear all"],
  ["u", "Undo what was dismissed last"],
  ["y, n", "Allow or deny what an app asks"],
  ["l", "Lock or unlock"],
  ["?", "Show these keys"],
];

const options = {
  AUTHORIZATION_OPTION_ALERT: "Alerts", AUTHORIZATION_OPTION_SOUND: "Sounds", AUTHORIZATION_OPTION_BADGE: "Badges",
  AUTHORIZATION_OPTION_CRITICAL_ALERT: "Critical alerts", AUTHORIZATION_OPTION_TIME_SENSITIVE: "Time-sensitive",
  AUTHORIZATION_OPTION_ANNOUNCEMENT: "Reading aloud", AUTHORIZATION_OPTION_CAR_PLAY: "In the car",
};

/** A round letter in the place of a picture that an app does not have. */
export function letter(id, name) {
  let sum = 0;
  for (const each of id) sum = (sum * 31 + each.codePointAt(0)) % 360;
  const made = h("span.letter", { "aria-hidden": "true" }, [...(name || id)][0]?.toUpperCase() ?? "?");
  made.style.setProperty("--hue", sum);
  return made;
}

export class CenterView {
  #model;
  #stop = new AbortController();
  #expanded = new Map();
  #limit = mostGroups;
  #groups = new Map();
  #notes = new Map();
  #selected;
  #replying;
  #frame;
  #undo = [];
  #open;
  #fresh = new Set();

  constructor(model) {
    this.#model = model;
    const { signal } = this.#stop;
    this.prompts = h("div.prompts");
    this.banners = h("div.banners");
    this.head = h("div.listhead");
    this.list = h("div.groups", { role: "group", "aria-label": "Notifications" });
    this.rest = h("div.rest");
    this.element = h("main.center", { id: "main" }, this.prompts, this.banners, this.head, this.list, this.rest);
    model.addEventListener("change", () => this.#plan(), { signal });
    model.addEventListener("listed", ({ detail }) => {
      this.#fresh.add(keyOf(detail.notification));
      this.#tellOf(detail);
    }, { signal });
    model.addEventListener("say", ({ detail }) => toast(detail), { signal });
    this.#plan();
  }

  close() {
    this.#stop.abort();
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#open?.window.close();
  }

  /** Tells what came: many at a time as their count. */
  #tellOf(notification) {
    this.#untold.push(notification);
    if (this.#untold.length > 1) return;
    setTimeout(() => {
      const [{ appName, title, body, notification: { center } }, ...others] = this.#untold.splice(0);
      tell(others.length ? `${others.length + 1} new notifications` : `${appName || center.appId}: ${title || body || "a notification"}`);
    }, 300);
  }
  #untold = [];

  /** Draws once before the next picture, whatever comes until then; and leaves time for the keys. */
  #plan() {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    const draw = () => {
      this.#frame = requestAnimationFrame(() => {
        this.#isPlanned = false;
        this.#draw();
        this.#drawn = performance.now();
      });
    };
    const wait = this.#drawn + leastPause - performance.now();
    if (wait > 0) this.#timer = setTimeout(draw, wait);
    else draw();
  }
  #isPlanned = false;
  #drawn = -leastPause;
  #timer;

  #draw() {
    const model = this.#model;
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement.closest(".note");
    this.#drawPrompts();
    const banners = [...model.banners.values()].map((each) => this.#note(each, undefined));
    this.banners.replaceChildren(...banners);
    const groups = model.shown();
    const shown = groups.slice(0, this.#limit);
    const kept = new Set();
    const elements = shown.map((group) => {
      kept.add(group.info.groupId);
      return this.#group(group);
    });
    for (const id of this.#groups.keys()) if (!kept.has(id)) this.#groups.delete(id);
    arrange(this.list, elements);
    const alive = new Set();
    for (const element of this.element.querySelectorAll(".note")) alive.add(element.dataset.key);
    for (const key of this.#notes.keys()) if (!alive.has(key)) this.#notes.delete(key);
    this.#drawHead(groups);
    this.#drawRest(groups);
    this.#keepSelection(hadFocus);
    this.#drawWanted(groups);
    this.#drawOpen();
    this.#fresh.clear();
    this.onbadge?.(model.badge);
  }

  #drawHead(groups) {
    const count = groups.reduce((sum, { notifications }) => sum + notifications.length, 0);
    const sign = `${count}/${this.#model.connection}`;
    if (this.head.dataset.sign === sign) return;
    this.head.dataset.sign = sign;
    this.head.replaceChildren(
      h("h1", {}, count ? `${count.toLocaleString()} notification${count === 1 ? "" : "s"}` : "Notifications"),
      count > 0 && button("Clear all", () => this.clearAll(), "plain"));
    this.list.setAttribute("aria-busy", String(this.#model.connection === "reading"));
  }

  #drawRest(groups) {
    const { snoozed, connection } = this.#model;
    const parts = [];
    if (groups.length > this.#limit) {
      parts.push(button(`Show ${Math.min(mostGroups, groups.length - this.#limit)} more`, () => {
        this.#limit += mostGroups;
        this.#plan();
      }, "wide"));
    }
    if (!groups.length && !this.#model.banners.size && connection === "live" && !this.#model.prompts.size) {
      parts.push(h("div.empty", {}, icon("bell"), h("p", {}, "Nothing new"),
        h("p.dim", {}, "What apps have to say appears here.")));
    } else if (connection === "reading" && !groups.length) {
      parts.push(h("div.empty", {}, h("p.dim", {}, "Reading the list …")));
    }
    const visible = snoozed.filter(({ notification }) => !this.#model.leaving.has(keyOf(notification.notification)));
    if (visible.length) {
      parts.push(h("section.snoozed", { "aria-label": "Snoozed" }, h("h2", {}, icon("clock"), `Snoozed · ${visible.length}`),
        visible.map(({ notification, until }) => h("div.line", {}, this.#picture(notification),
          words("span.grow", notification.title || notification.body || notification.appName),
          time(until), iconButton("close", "Dismiss", () => this.#dismiss([notification]))))));
    }
    this.rest.replaceChildren(...parts);
  }

  /* Prompts */

  #drawPrompts() {
    const quiet = ({ kind }) => kind === "AUTHORIZATION_PROMPT_KIND_QUIET";
    const prompts = [...this.#model.prompts.values()].filter((each) => !quiet(each));
    const elements = prompts.map((prompt) => {
      const known = [...this.prompts.children].find((each) => each.dataset.prompt === prompt.promptId);
      return known ?? this.#prompt(prompt);
    });
    arrange(this.prompts, elements);
  }

  #prompt(prompt) {
    const { promptId, kind, center, appName, options: asked = [] } = prompt;
    const name = appName || center.appId;
    const app = this.#model.apps.get(center.appId);
    const upgrades = kind === "AUTHORIZATION_PROMPT_KIND_UPGRADE";
    const offered = Object.keys(options).filter((each) => asked.includes(each));
    const boxes = offered.map((each) => h("label.check", {}, h("input", {
      type: "checkbox", value: each, checked: each !== "AUTHORIZATION_OPTION_CRITICAL_ALERT",
    }), options[each]));
    const allow = () => {
      const chosen = boxes.map((box) => box.firstChild).filter(({ checked }) => checked).map(({ value }) => value);
      // Those that the person is not asked about are the app's own matter.
      const others = asked.filter((each) => !(each in options));
      return this.#answer(promptId, "PROMPT_ANSWER_ALLOW", { options: [...chosen, ...others] });
    };
    const title = upgrades ? "wants to do more than deliver quietly" : "wants to send you notifications";
    return h("section.prompt", { role: "group", "aria-label": `${name} ${title}`, "data-prompt": promptId },
      h("div.asks", {}, this.#picture({ notification: { center }, appName: name, iconAttachmentId: app?.iconAttachmentId }),
        h("p", {}, words("bdi", name), ` ${title}.`)),
      boxes.length > 0 && h("div.checks", {}, boxes),
      h("div.actions", {},
        upgrades && button("Keep quiet", attempt(() => this.#answer(promptId, "PROMPT_ANSWER_KEEP"))),
        upgrades && button("Turn off", attempt(() => this.#answer(promptId, "PROMPT_ANSWER_TURN_OFF"))),
        button("Don’t allow", attempt(() => this.#answer(promptId, "PROMPT_ANSWER_DENY"))),
        button("Allow", attempt(allow), "primary")));
  }

  #answer(promptId, answer, more) {
    return this.#model.answer(promptId, answer, more);
  }

  /* Groups */

  #group({ info, notifications }) {
    const id = info.groupId;
    const count = notifications.length;
    // What comes in front of the cursor's notification does not bury it.
    if (this.#model.groupOf(this.#selected) === id && !this.#expanded.has(id) && keyOf(notifications[0].notification) !== this.#selected) {
      this.#expanded.set(id, mostInGroup);
    }
    const isExpanded = count > 1 && this.#expanded.has(id);
    const limit = this.#expanded.get(id) ?? mostInGroup;
    const made = this.#groups.get(id) ?? h("div.group", { role: "group" });
    this.#groups.set(id, made);
    made.dataset.group = id;
    made.classList.toggle("stack", count > 1 && !isExpanded);
    const name = notifications[0].appName || info.center.appId;
    made.setAttribute("aria-label", name);
    const shown = notifications.slice(0, isExpanded ? limit : 1)
      .map((each) => this.#note(each, id, isExpanded ? 1 : count));
    const parts = [...shown];
    if (isExpanded) {
      parts.unshift(h("div.grouphead", {}, h("h2", {}, words("bdi", name), h("span.dim", {}, ` · ${count.toLocaleString()}`)),
        button("Show less", () => this.#toggle(id), "plain"),
        button("Clear", () => this.#dismiss(notifications), "plain")));
      if (count > limit) {
        parts.push(button(`Show ${Math.min(mostInGroup, count - limit)} more`, () => {
          this.#expanded.set(id, limit + mostInGroup);
          this.#plan();
        }, "wide"));
      }
    } else if (count > 1) {
      parts.push(h("button.more", { type: "button", "aria-expanded": "false", onclick: () => this.#toggle(id) },
        icon("down"), words("span", info.summary || `${count - 1} more`)));
    }
    arrange(made, parts);
    return made;
  }

  #toggle(id) {
    if (this.#expanded.delete(id)) {
      const first = this.#groups.get(id)?.querySelector(".note");
      if (first) this.#selected = first.dataset.key;
    } else this.#expanded.set(id, mostInGroup);
    this.#plan();
  }

  /* Notifications */

  #picture(notification) {
    const { notification: { center }, appName, iconAttachmentId, communication } = notification;
    const made = h("span.picture", {}, letter(center.appId, appName));
    const file = communication?.avatarAttachmentId || iconAttachmentId;
    if (file) this.#fill(made, center.appId, file, "");
    return made;
  }

  /** Puts a file into a place once it is there. */
  async #fill(place, appId, file, label) {
    const found = await this.#model.file(appId, file);
    if (!found) return;
    const [kind] = found.type.split("/");
    const shown = document.createElement(kind === "image" ? "img" : kind);
    if (kind === "image") shown.alt = label;
    else shown.controls = true;
    shown.src = found.url;
    place.replaceChildren(shown);
    place.hidden = false;
  }

  #note(notification, groupId, behind = 1) {
    const key = keyOf(notification.notification);
    const known = this.#notes.get(key);
    if (known?.notification === notification && known.behind === behind) return known.element;
    const element = this.#makeNote(notification, groupId, behind);
    if (known && known.element.contains(document.activeElement)) this.#replacedFocus = key;
    this.#notes.set(key, { notification, element, behind });
    return element;
  }
  #replacedFocus;

  #makeNote(notification, groupId, behind) {
    const { appName, title, subtitle, body, date, redacted, communication, interruptionLevel, held, progress } = notification;
    const { center } = notification.notification;
    const key = keyOf(notification.notification);
    const name = appName || center.appId;
    const level = { INTERRUPTION_LEVEL_TIME_SENSITIVE: "Time-sensitive", INTERRUPTION_LEVEL_CRITICAL: "Critical" }[interruptionLevel];
    const pressed = (event) => {
      if (!event.target.closest("button, input, textarea, label, audio, video, a")) this.#select(key);
    };
    const titleText = communication && !redacted
      ? (communication.groupName || title || communication.sender) : title;
    const media = (notification.attachments ?? []).slice(0, 1).map((file) => {
      const place = h("div.media", { hidden: true });
      if (!file.thumbnailHidden) this.#fill(place, center.appId, file.attachmentId, "Attached picture");
      return place;
    });
    const quiet = this.#model.prompts.get(notification.promptId);
    const made = h("article.note", {
      tabindex: "-1", "data-key": key, "data-group": groupId, onclick: pressed,
      onfocusin: () => this.#mark(key), ondblclick: attempt(() => this.#press(notification)),
      "aria-label": [name, titleText, subtitle, body, near(date)].filter(Boolean).join(", "),
    },
    h("header", {}, this.#picture(notification), words("span.app", name),
      level && h("span.level", { class: interruptionLevel === "INTERRUPTION_LEVEL_CRITICAL" ? "level critical" : "level" }, level),
      held && h("span.level.quiet", {}, "Summary"),
      notification.silencedByFocus && h("span.level.quiet", {}, icon("moon"), words("bdi", notification.silencedByFocus)),
      time(date),
      h("span.tools", {},
        iconButton("eye", "View", attempt(() => this.#view(notification))),
        iconButton("clock", "Snooze", (event) => this.#chooseSnooze(notification, event.currentTarget)),
        iconButton("close", behind > 1 ? `Clear all ${behind}` : "Dismiss", () => this.#dismissAt(notification, groupId)))),
    h("div.says", {}, h("div.texts", {},
      titleText && words("h3", titleText, { role: "heading", "aria-level": "2" }), subtitle && words("p.subtitle", subtitle),
      body && words(redacted ? "p.body.hidden-text" : "p.body", body)), media),
    progress !== undefined && h("progress", { max: "1", value: progress, "aria-label": "Progress" }),
    this.#actions(notification, quiet));
    if (this.#fresh.has(key)) made.classList.add("fresh");
    return made;
  }

  #actions(notification, quiet) {
    const shown = (notification.actions ?? []).map((action) => this.#action(action, (text) =>
      this.#act(notification, action, text)));
    if (quiet) {
      shown.push(button("Keep", attempt(() => this.#answer(quiet.promptId, "PROMPT_ANSWER_KEEP"))),
        button("Turn off", attempt(() => this.#answer(quiet.promptId, "PROMPT_ANSWER_TURN_OFF"))));
    }
    return shown.length > 0 && h("div.actions", {}, shown);
  }

  /** A button; one that takes a text becomes a field when it is pressed. */
  #action(action, act) {
    const { identifier, title, options: kinds = [], textInput } = action;
    const name = title || identifier;
    const isDestructive = kinds.includes("ACTION_OPTION_DESTRUCTIVE");
    const made = words("button", name, { type: "button", "data-action": identifier });
    if (isDestructive) made.classList.add("destructive");
    if (kinds.includes("ACTION_OPTION_AUTHENTICATION_REQUIRED") && this.#model.state.locked) made.prepend(icon("lock"));
    made.addEventListener("click", attempt(async () => {
      if (!textInput) return act(undefined);
      this.#reply(made, textInput, name, act);
    }));
    return made;
  }

  #reply(pressed, { buttonTitle, placeholder }, name, act) {
    const row = pressed.parentElement;
    const field = h("textarea", { rows: "1", dir: "auto", placeholder: placeholder || name, "aria-label": name, maxlength: "65536" });
    const leave = (focus) => {
      form.replaceWith(row);
      this.#replying = undefined;
      if (focus) row.closest(".note, dialog")?.focus();
    };
    const send = attempt(async () => {
      if (this.#model.connection !== "live") return toast("The server is away: your text stays here until it is back.");
      submit.disabled = true;
      try {
        await act(field.value);
        leave(true);
      } finally {
        submit.disabled = false;
      }
    });
    const submit = words("button.primary", buttonTitle || "Send", { type: "submit" });
    const form = h("form.reply", { onsubmit: (event) => (event.preventDefault(), send()) }, field, submit);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.isComposing) return;
      if (event.key === "Escape") (event.preventDefault(), leave(true));
      if (event.key === "Enter" && !event.shiftKey) (event.preventDefault(), send());
    });
    row.replaceWith(form);
    this.#replying = form;
    field.focus();
  }

  /* Acts */

  async #press(notification) {
    this.#said(await this.#model.respond(notification.notification));
  }

  async #act(notification, { identifier, title }, text) {
    this.#said(await this.#model.respond(notification.notification, identifier, text), title || identifier);
  }

  #said({ outcome }, what) {
    if (outcome === "RESPOND_OUTCOME_WAITING_FOR_UNLOCK") {
      toast("It waits until the device is unlocked.", {
        action: "Unlock", onaction: attempt(() => this.#model.update({ locked: false })),
      });
    } else if (outcome === "RESPOND_OUTCOME_SENT" && what) tell(`${what}: sent`);
  }

  #dismissAt(notification, groupId) {
    const group = this.#model.shown().find(({ info }) => info.groupId === groupId);
    const isStack = group && group.notifications.length > 1 && !this.#expanded.has(groupId);
    this.#dismiss(isStack ? group.notifications : [notification]);
  }

  #dismiss(notifications) {
    this.#selectBeside(notifications);
    const count = notifications.length;
    const undo = this.#model.dismiss(notifications, failed);
    const leave = toast(count === 1 ? "Dismissed" : `Dismissed ${count.toLocaleString()}`, {
      action: "Undo", onaction: () => (undo(), this.#undo.splice(this.#undo.indexOf(entry), 1)),
    });
    const entry = { undo, leave };
    this.#undo.push(entry);
    setTimeout(() => this.#undo.includes(entry) && this.#undo.splice(this.#undo.indexOf(entry), 1), 5000);
  }

  clearAll() {
    const all = this.#model.shown().flatMap(({ notifications }) => notifications);
    if (all.length) this.#dismiss(all);
  }

  async #snooze(notification, end, says) {
    this.#selectBeside([notification]);
    await this.#model.snooze(notification.notification, end);
    toast(`Snoozed ${says}`);
  }

  #chooseSnooze(notification, from) {
    const at = (days, hour) => {
      const when = startOfDay(now());
      when.setDate(when.getDate() + days);
      when.setHours(hour);
      return when;
    };
    const evening = at(0, 20);
    const choices = [
      ["For 10 minutes", { duration: "600s" }], ["For an hour", { duration: "3600s" }],
      evening > now() && [`Until ${timeOfDay(evening)}`, { until: evening }],
      [`Until tomorrow, ${timeOfDay(at(1, 9))}`, { until: at(1, 9) }],
    ].filter(Boolean);
    const menu = h("div.menu", { popover: "auto", role: "menu", "aria-label": "Snooze" }, choices.map(([text, end]) =>
      button(text, attempt(async () => {
        menu.hidePopover();
        await this.#snooze(notification, end, text[0].toLowerCase() + text.slice(1));
      }), "", { role: "menuitem" })));
    menu.addEventListener("toggle", ({ newState }) => newState === "closed" && menu.remove());
    menu.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const items = [...menu.children];
      items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
    });
    document.body.append(menu);
    menu.showPopover();
    // A screen is measured in its own pixels, and a menu placed in those of the page.
    const scale = document.documentElement.currentCSSZoom ?? 1;
    const box = from.getBoundingClientRect();
    const [bottom, top, right, left, width, height] = [box.bottom, box.top, box.right, box.left, innerWidth, innerHeight]
      .map((each) => each / scale);
    const isRight = getComputedStyle(document.documentElement).direction !== "rtl";
    menu.style.insetInlineEnd = `${Math.max(8, isRight ? width - right : left)}px`;
    menu.style.top = `${bottom + menu.offsetHeight + 8 > height ? top - menu.offsetHeight - 4 : bottom + 4}px`;
    menu.firstChild.focus();
  }

  /* A closer look */

  async #view(notification) {
    const { presentation } = await this.#model.call("OpenNotification", { notification: notification.notification });
    this.#model.presentations.set(presentation.presentationId, presentation);
    const place = h("div.viewed");
    const window = dialog(`${notification.appName || "A notification"}, whole`, [
      h("div.viewhead", {}, iconButton("close", "Close", () => window.close())), place,
    ], {
      kind: "view",
      onclose: () => {
        this.#open = undefined;
        const isOpen = this.#model.presentations.delete(presentation.presentationId);
        if (isOpen) this.#model.call("CloseNotification", { presentationId: presentation.presentationId }).catch(failed);
        this.focus();
      },
    });
    this.#open = { window, place, id: presentation.presentationId, sign: undefined };
    this.#drawOpen();
  }

  #drawOpen() {
    if (!this.#open) return;
    const { id, place, window } = this.#open;
    const shown = this.#model.presentations.get(id);
    if (!shown) return window.close();
    const sign = JSON.stringify([shown.actions, shown.view?.media, shown.view?.data?.length]) + String(shown.view?.data?.slice(0, 64));
    if (this.#open.sign === sign) return;
    this.#open.sign = sign;
    const { notification, actions = [], extension, view } = shown;
    const { center } = notification.notification;
    const isHidden = extension?.defaultContentHidden && view;
    place.replaceChildren(...[
      h("header", { role: "none" }, this.#picture(notification), words("span.app", notification.appName || center.appId), time(notification.date)),
      !isHidden && notification.title && words("h2", notification.title),
      !isHidden && notification.subtitle && words("p.subtitle", notification.subtitle),
      !isHidden && notification.body && words("p.whole", notification.body),
      ...(notification.attachments ?? []).map((file) => {
        const made = h("div.media", { hidden: true });
        this.#fill(made, center.appId, file.attachmentId, "Attached picture");
        return made;
      }),
      view && this.#extension(view), view?.media && this.#media(id, view.media),
      notification.progress !== undefined && h("progress", { max: "1", value: notification.progress, "aria-label": "Progress" }),
      actions.length > 0 && h("div.actions", {}, actions.map((action) => this.#action(action, async (text) => {
        this.#said(await this.#model.actOnOpen(id, action.identifier, text), action.title);
      }))),
    ].filter(Boolean));
  }

  #extension({ mediaType, data }) {
    if (!data?.length) return undefined;
    const [type] = mediaType.toLowerCase().split(";");
    if (type === "text/plain") return words("pre", new TextDecoder().decode(data));
    if (!shownViews.has(type)) return h("p.dim", {}, `The extension shows ${type}, which is not shown here.`);
    const shown = document.createElement("img");
    shown.alt = "What the app’s extension shows";
    shown.src = URL.createObjectURL(new Blob([data], { type }));
    shown.addEventListener("load", () => URL.revokeObjectURL(shown.src), { once: true });
    return h("div.media", {}, shown);
  }

  #media(presentationId, { buttonType, isPlaying }) {
    if (!buttonType || buttonType === "MEDIA_PLAY_PAUSE_BUTTON_TYPE_NONE") return undefined;
    const media = isPlaying ? "MEDIA_COMMAND_PAUSE" : "MEDIA_COMMAND_PLAY";
    return iconButton(isPlaying ? "pause" : "play", isPlaying ? "Pause" : "Play",
      attempt(() => this.#model.call("Respond", { presentationId, media })));
  }

  /* The cursor */

  get #elements() {
    return [...this.element.querySelectorAll(".note")];
  }

  #current() {
    return this.#selected && this.#notes.get(this.#selected);
  }

  #mark(key) {
    if (this.#selected === key) return;
    this.#notes.get(this.#selected)?.element.classList.remove("selected");
    this.#selected = key;
    this.#notes.get(key)?.element.classList.add("selected");
    for (const each of this.#elements) each.tabIndex = each.dataset.key === key ? 0 : -1;
  }

  #select(key) {
    this.#mark(key);
    const element = this.#notes.get(key)?.element;
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }

  /** Moves the cursor from what leaves to what is beside it. */
  #selectBeside(notifications) {
    const leaving = new Set(notifications.map((each) => keyOf(each.notification)));
    if (!leaving.has(this.#selected)) return;
    const elements = this.#elements;
    const place = elements.findIndex((each) => each.dataset.key === this.#selected);
    const isStaying = (each) => !leaving.has(each.dataset.key);
    const next = elements.slice(place).find(isStaying) ?? elements.slice(0, place).findLast(isStaying);
    if (next) this.#select(next.dataset.key);
    else this.#selected = undefined;
  }

  /** The cursor stays on its notification, whatever comes and goes around it. */
  #keepSelection(hadFocus) {
    const elements = this.#elements;
    elements.forEach((each, place) => {
      if (each.ariaPosInSet !== String(place + 1)) each.ariaPosInSet = String(place + 1);
      if (each.ariaSetSize !== String(elements.length)) each.ariaSetSize = String(elements.length);
      const isSelected = each.dataset.key === this.#selected;
      each.classList.toggle("selected", isSelected);
      each.tabIndex = isSelected || (!this.#current() && place === 0) ? 0 : -1;
    });
    const current = this.#current()?.element;
    if (!this.#replying && hadFocus && current && !this.element.contains(document.activeElement)) {
      current.focus({ preventScroll: true });
    }
  }

  focus() {
    this.#current()?.element.focus({ preventScroll: true });
  }

  /** Moves the cursor to a notification once the list is read, and opens the field for an action's text. */
  reveal(wanted) {
    this.#wanted = wanted;
    this.#plan();
  }
  #wanted;

  #drawWanted(groups) {
    if (!this.#wanted || this.#model.connection !== "live") return;
    const { app, notification: identifier, action } = this.#wanted;
    const isWanted = ({ notification }) => notification.center.appId === app && notification.identifier === identifier;
    const place = groups.findIndex(({ notifications }) => notifications.some(isWanted));
    if (place < 0) {
      this.#wanted = undefined;
      return toast("That notification is not here any more.");
    }
    const { info, notifications } = groups[place];
    const inner = notifications.findIndex(isWanted);
    const key = keyOf(notifications[inner].notification);
    const known = this.#notes.get(key);
    if (!known) {
      this.#limit = Math.max(this.#limit, place + 1);
      this.#expanded.set(info.groupId, Math.max(mostInGroup, inner + 1));
      return this.#plan();
    }
    this.#wanted = undefined;
    this.#select(key);
    // An address may open a field and press nothing: anybody can write one.
    if (notifications[inner].actions?.find((each) => each.identifier === action)?.textInput) {
      [...known.element.querySelectorAll(".actions > button")].find((each) => each.dataset.action === action)?.click();
    }
  }

  #move(step) {
    const elements = this.#elements;
    if (!elements.length) return;
    const place = elements.findIndex((each) => each.dataset.key === this.#selected);
    const next = place < 0 ? 0 : Math.max(0, Math.min(elements.length - 1, place + step));
    this.#select(elements[next].dataset.key);
  }

  /** Does what a key asks for; false where it asks for nothing. */
  press(event) {
    const current = this.#current();
    const notification = current?.notification;
    const group = current?.element.dataset.group;
    const need = (work) => (notification ? attempt(work)() : toast("Move to a notification first."));
    const act = (place) => need(() => {
      const buttons = current.element.querySelectorAll(".actions > button");
      if (buttons[place]) buttons[place].click();
      else toast("It has no such action.");
    });
    const isQuiet = ({ kind }) => kind === "AUTHORIZATION_PROMPT_KIND_QUIET";
    const prompt = [...this.#model.prompts.values()].find((each) => !isQuiet(each)) ??
      this.#model.prompts.get(notification?.promptId);
    const answer = (yes) => {
      if (!prompt) return toast("No app asks.");
      if (isQuiet(prompt)) {
        return attempt(() => this.#answer(prompt.promptId, yes ? "PROMPT_ANSWER_KEEP" : "PROMPT_ANSWER_TURN_OFF"))();
      }
      const buttons = this.prompts.firstChild?.querySelectorAll(".actions > button") ?? [];
      return [...buttons].at(yes ? -1 : -2)?.click();
    };
    switch (event.key) {
      case "ArrowDown": case "j": this.#move(1); break;
      case "ArrowUp": case "k": this.#move(-1); break;
      case "PageDown": this.#move(5); break;
      case "PageUp": this.#move(-5); break;
      case "Home": case "g": this.#move(-1e6); break;
      case "End": case "G": this.#move(1e6); break;
      case "Enter": need(() => this.#press(notification)); break;
      case " ": need(() => this.#toggleAt(group)); break;
      case "v": need(() => this.#view(notification)); break;
      case "z": need(() => this.#snooze(notification, { duration: "600s" }, "for 10 minutes")); break;
      case "x": case "Delete": need(() => this.#dismissAt(notification, group)); break;
      case "X": this.clearAll(); break;
      case "u": this.#takeBack(); break;
      case "a": act(0); break;
      case "r": need(() => {
        const place = (notification.actions ?? []).findIndex(({ textInput }) => textInput);
        if (place < 0) toast("It has no action that takes a text.");
        else act(place);
      }); break;
      case "y": answer(true); break;
      case "n": answer(false); break;
      default:
        if (!/^[0-9]$/.test(event.key)) return false;
        act(event.key === "0" ? 9 : Number(event.key) - 1);
    }
    return true;
  }

  #toggleAt(group) {
    const found = this.#model.shown().find(({ info }) => info.groupId === group);
    if (found?.notifications.length > 1) this.#toggle(group);
    else toast("There is no group to expand.");
  }

  #takeBack() {
    const last = this.#undo.pop();
    if (!last) return toast("Nothing can be taken back.");
    last.undo();
    last.leave();
  }
}

/** Gives a place these children in this order, and moves none that is right. */
function arrange(place, elements) {
  const wanted = new Set(elements);
  for (const child of [...place.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, index) => {
    if (place.children[index] !== element) place.insertBefore(element, place.children[index] ?? null);
  });
}
