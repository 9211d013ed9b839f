// What a device shows, kept as the server's frames change it, and what the person does there.

const service = "belfry.v1.DeviceService/";
/** The most that one call dismisses. */
const dismissLimit = 256;
const undoTime = 5000;
// What these are about names its device itself.
const hasNoDevice = new Set(["OpenNotification", "UpdateSettings", "OpenSettings"]);

/** Names one delivery of a notification. */
export const keyOf = ({ center, identifier, delivery = 0 }) => `${center.appId}\n${identifier}\n${delivery}`;

export class DeviceModel extends EventTarget {
  #client;
  #stop = new AbortController();
  #watch;
  #partial;
  #resyncs;
  #isTold = false;

  /** "reading", "live", "away", or "refused" with `problem`. */
  connection = "reading";
  problem;
  state = {};
  apps = new Map();
  groups = new Map();
  /** The groups of the notifications of the list, by their keys. */
  #places = new Map();
  prompts = new Map();
  presentations = new Map();
  /** Notifications that are shown without being in the list, by their keys. */
  banners = new Map();
  snoozed = [];
  /** What the person dismissed and may still take back, by keys. */
  leaving = new Set();
  #commits = new Set();

  constructor(client, id) {
    super();
    this.#client = client;
    this.id = id;
    addEventListener("pagehide", () => this.commitAll(), { signal: this.#stop.signal });
    this.#follow();
  }

  close() {
    this.commitAll();
    this.#stop.abort();
    this.#watch?.abort();
  }

  call(rpc, request) {
    const device = hasNoDevice.has(rpc) ? {} : { deviceId: this.id };
    return this.#client.call(service + rpc, { ...device, ...request });
  }

  name(center) {
    return this.apps.get(center.appId)?.name || center.appId;
  }

  get badge() {
    return [...this.apps.values()].reduce((sum, { badge = 0 }) => sum + badge, 0);
  }

  /** The groups with what the person sees of them, the newest first. */
  shown() {
    const shown = [];
    for (const group of this.groups.values()) {
      const notifications = this.leaving.size
        ? group.notifications.filter((each) => !this.leaving.has(keyOf(each.notification)))
        : group.notifications;
      if (notifications.length) shown.push({ info: group.info, notifications });
    }
    return shown.sort((one, other) => other.info.date - one.info.date);
  }

  /** The group that has a notification of the list; undefined without one. */
  groupOf(key) {
    return this.#places.get(key);
  }

  /** Tells that something changed: once for all frames of a message. */
  #changed(what = "change", detail) {
    if (what !== "change") return this.dispatchEvent(new CustomEvent(what, { detail }));
    if (this.#isTold) return;
    this.#isTold = true;
    queueMicrotask(() => {
      this.#isTold = false;
      this.dispatchEvent(new Event("change"));
    });
  }

  async #follow() {
    let pause = 250;
    while (!this.#stop.signal.aborted) {
      this.#watch = new AbortController();
      this.#partial = undefined;
      const { signal } = this.#watch;
      try {
        const frames = this.#client.stream(`${service}WatchDevice`, { deviceId: this.id }, { signal });
        for await (const message of frames) {
          pause = 250;
          for (const frame of message.frames ?? []) this.#apply(frame);
          this.#changed();
        }
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        // A new watch is wanted.
        if (signal.aborted && error.code !== "UNAVAILABLE") continue;
        if (error.code !== "UNAVAILABLE" && !/SUBSCRIBER_STALLED/.test(error.message) && !error.isStop) {
          this.connection = "refused";
          this.problem = error;
          this.#changed();
          return;
        }
      }
      this.connection = "away";
      this.#changed();
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 2000);
    }
  }

  /** Watches anew, because other notifications may look different now; not more than once a second. */
  #resync() {
    this.#resyncs ??= setTimeout(() => {
      this.#resyncs = undefined;
      this.#watch?.abort(new Error("a new watch"));
    }, this.#lastSnapshot + 1000 > Date.now() ? 1000 : 30);
  }
  #lastSnapshot = 0;

  #apply(frame) {
    const { snapshot, prompt, promptClosed, banner, badge, listChanged, changed, presentation } = frame;
    if (snapshot) this.#take(snapshot);
    else if (prompt) this.prompts.set(prompt.promptId, prompt);
    else if (promptClosed) this.prompts.delete(promptClosed.promptId);
    else if (banner) this.#show(banner);
    else if (badge) {
      const app = this.apps.get(badge.center.appId) ?? { center: badge.center };
      this.apps.set(badge.center.appId, { ...app, badge: badge.badge ?? 0 });
    } else if (listChanged) this.#list(listChanged);
    else if (changed) this.#device(changed);
    else if (presentation) this.#present(presentation);
    else if (frame.sound) this.#changed("sound", frame.sound);
    else if (frame.unlockRequested) this.#changed("say", "It waits until the device is unlocked.");
    else if (frame.unlockEnded?.message) this.#changed("say", `Not done: ${frame.unlockEnded.message}`);
    else if (frame.launchApp?.mode === "LAUNCH_MODE_FOREGROUND") {
      this.#changed("say", `${this.name(frame.launchApp.center)} opens.`);
    } else if (frame.openAppSettings) {
      this.#changed("say", `${this.name(frame.openAppSettings.center)} shows its notification settings.`);
    }
  }

  /** Takes a part of a snapshot, which counts once it is whole. */
  #take({ state = {}, apps = [], groups = [], prompts = [], presentations = [], complete }) {
    const made = (this.#partial ??= {
      apps: new Map(), groups: new Map(), prompts: new Map(), presentations: new Map(),
    });
    made.state = state;
    for (const app of apps) made.apps.set(app.center.appId, app);
    for (const { info, notifications = [] } of groups) {
      const known = made.groups.get(info.groupId)?.notifications ?? [];
      made.groups.set(info.groupId, { info, notifications: [...known, ...notifications] });
    }
    for (const prompt of prompts) made.prompts.set(prompt.promptId, prompt);
    for (const each of presentations) made.presentations.set(each.presentationId, each);
    if (!complete) return;
    this.#partial = undefined;
    this.#lastSnapshot = Date.now();
    Object.assign(this, made);
    this.#places = new Map();
    for (const [id, { notifications }] of this.groups) {
      for (const { notification } of notifications) this.#places.set(keyOf(notification), id);
    }
    this.connection = "live";
    this.#readSnoozed();
  }

  #show({ notification, style }) {
    const key = keyOf(notification.notification);
    if (this.#places.has(key)) return;
    this.banners.set(key, notification);
    if (this.banners.size > 4) this.banners.delete(this.banners.keys().next().value);
    if (style !== "ALERT_STYLE_ALERT") {
      setTimeout(() => this.banners.delete(key) && this.#changed(), 6000);
    }
  }

  #list({ change, notification, rendered, replaced, group: info }) {
    if (change === "LIST_CHANGE_PRESENTED") return this.#update(rendered);
    const leaving = new Set([notification, replaced].filter(Boolean).map(keyOf));
    for (const key of leaving) {
      this.banners.delete(key);
      const id = this.#places.get(key);
      if (id === undefined) continue;
      this.#places.delete(key);
      // The frame has the summary of one group alone.
      if (id !== info.groupId) this.#resync();
      const group = this.groups.get(id);
      const staying = group.notifications.filter((each) => keyOf(each.notification) !== key);
      if (staying.length) this.groups.set(id, { info: group.info, notifications: staying });
      else this.groups.delete(id);
    }
    const staying = this.groups.get(info.groupId)?.notifications ?? [];
    // A text that stands for a hidden one counts the others of its thread.
    if (staying.some(({ redacted }) => redacted)) this.#resync();
    const notifications = rendered ? [rendered, ...staying] : staying;
    if (notifications.length) this.groups.set(info.groupId, { info, notifications });
    else this.groups.delete(info.groupId);
    if (rendered) {
      this.#places.set(keyOf(rendered.notification), info.groupId);
      this.#changed("listed", rendered);
    }
    if (change === "LIST_CHANGE_SNOOZED" || this.snoozed.length) this.#readSnoozed();
  }

  #update(rendered) {
    const key = keyOf(rendered.notification);
    const group = this.groups.get(this.#places.get(key));
    if (!group) return;
    const notifications = group.notifications.map((each) => (keyOf(each.notification) === key ? rendered : each));
    this.groups.set(group.info.groupId, { info: group.info, notifications });
  }

  #device({ state, app, removedApp }) {
    if (state) {
      this.state = state;
      this.#resync();
    } else if (app) {
      if (this.apps.has(app.center.appId)) this.#resync();
      this.apps.set(app.center.appId, app);
    } else if (removedApp) {
      const isOf = (center) => center.appId === removedApp.appId;
      this.apps.delete(removedApp.appId);
      for (const [id, prompt] of this.prompts) if (isOf(prompt.center)) this.prompts.delete(id);
      for (const [id, { info }] of this.groups) if (isOf(info.center)) this.groups.delete(id);
      for (const [key, id] of this.#places) if (!this.groups.has(id)) this.#places.delete(key);
    }
  }

  #present({ presentationId, actionsChanged, viewUpdated, closed }) {
    const open = this.presentations.get(presentationId);
    if (!open) return;
    if (closed) this.presentations.delete(presentationId);
    else if (actionsChanged) open.actions = actionsChanged.actions ?? [];
    else if (viewUpdated) open.view = { ...viewUpdated, data: viewUpdated.data ?? open.view?.data };
  }

  #reading;
  #readSnoozed() {
    this.#reading ??= setTimeout(async () => {
      this.#reading = undefined;
      try {
        const { notifications = [] } = await this.call("ListSnoozed", { pageSize: 100 });
        this.snoozed = notifications;
        this.#changed();
      } catch {
        // The next change asks again.
      }
    }, 100);
  }

  /* Acts */

  respond(notification, action, text) {
    this.banners.delete(keyOf(notification));
    const act = action === undefined
      ? { defaultAction: {} }
      : { action: { actionIdentifier: action, userText: text } };
    return this.call("Respond", { notification, ...act });
  }

  actOnOpen(presentationId, action, text) {
    return this.call("Respond", { presentationId, action: { actionIdentifier: action, userText: text } });
  }

  snooze(notification, end) {
    return this.call("Snooze", { notification, ...end });
  }

  answer(promptId, answer, more) {
    return this.call("AnswerAuthorizationPrompt", { promptId, answer, ...more });
  }

  update(state, mask = Object.keys(state).join(",")) {
    return this.call("UpdateDeviceState", { state, updateMask: mask });
  }

  /**
   * Takes notifications out of sight, and dismisses them once they cannot be taken back any more:
   * these, and none that comes meanwhile.
   */
  dismiss(notifications, onfail) {
    const leaving = notifications.map(({ notification }) => notification);
    for (const each of leaving) this.leaving.add(keyOf(each));
    const settle = () => {
      clearTimeout(timer);
      this.#commits.delete(commit);
    };
    const show = () => {
      for (const each of leaving) this.leaving.delete(keyOf(each));
      this.#changed();
    };
    const commit = async () => {
      settle();
      try {
        await this.#dismissAll(leaving);
      } catch (error) {
        onfail?.(error);
      }
      show();
    };
    const timer = setTimeout(commit, undoTime);
    this.#commits.add(commit);
    this.#changed();
    return () => (settle(), show());
  }

  /** Makes the calls that wait for being taken back. */
  commitAll() {
    for (const commit of [...this.#commits]) commit();
  }

  async #dismissAll(references) {
    // What left the list meanwhile needs no call.
    const wanted = references.filter((each) => this.#isListed(keyOf(each)));
    for (let first = 0; first < wanted.length; first += dismissLimit) {
      const notifications = wanted.slice(first, first + dismissLimit);
      await this.call("Dismiss", { notifications, kind: "DISMISS_KIND_CLEAR" });
    }
  }

  #isListed(key) {
    if (this.#places.has(key)) return true;
    return this.banners.has(key) || this.snoozed.some(({ notification }) => keyOf(notification.notification) === key);
  }

  /* Files */

  #files = new Map();

  /** The address of a picture, a sound or a film of an app; undefined where it is none to show. */
  file(appId, attachmentId) {
    const known = this.#files.get(attachmentId);
    if (known) return known;
    const found = this.#download(appId, attachmentId).catch(() => undefined);
    this.#files.set(attachmentId, found);
    if (this.#files.size > 200) {
      const [oldest, address] = this.#files.entries().next().value;
      this.#files.delete(oldest);
      address.then((file) => file && URL.revokeObjectURL(file.url));
    }
    return found;
  }

  async #download(appId, attachmentId) {
    const parts = [];
    let type;
    const request = { appId, attachmentId };
    const signal = this.#stop.signal;
    for await (const { attachment, chunk } of this.#client.stream("belfry.v1.AttachmentService/DownloadAttachment", request, { signal })) {
      if (attachment) {
        type = shownTypes.get(attachment.type);
        if (!type || attachment.sizeBytes > mostBytes) return undefined;
      }
      if (chunk) parts.push(chunk);
    }
    return { type, url: URL.createObjectURL(new Blob(parts, { type })) };
  }
}

const mostBytes = 20 << 20;

/** What the page shows of the types that an app may store: none that a browser takes for a page. */
const shownTypes = new Map([
  ["public.png", "image/png"], ["public.jpeg", "image/jpeg"], ["com.compuserve.gif", "image/gif"],
  ["public.mp3", "audio/mpeg"], ["public.mpeg-4-audio", "audio/mp4"],
  ["com.microsoft.waveform-audio", "audio/wav"], ["public.mpeg-4", "video/mp4"],
  ["public.mpeg", "video/mpeg"],
]);

/** The same for the views of content extensions, which say their type themselves. */
export const shownViews = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
