// What the module promises, against a server whose clock is manual and which grants nothing itself.
// Argument: the server's address. The name of each part is printed once it holds.
import "./webcrypto.mjs";
import assert from "node:assert/strict";
import * as module from "../../../../Clients/js/belfry.js";

const { connect, duration, newKey } = module;
const url = process.argv[2];
const client = connect({ url });
const person = client.device();
const advance = (by) => client.call("belfry.v1.AdminService/AdvanceClock", { by });
let apps = 0;

async function allowed() {
  const app = client.app(`org.example.module${++apps}`);
  const [{ granted, status }] = await Promise.all([app.authorize(), person.allow(app)]);
  assert.deepEqual([granted, status], [true, "AUTHORIZATION_STATUS_AUTHORIZED"]);
  return app;
}

const parts = {
  async "permission is the person's"() {
    const app = client.app("org.example.denied");
    await assert.rejects(app.add("T"), { name: "NotFound", reason: "APP_NOT_REGISTERED", code: "NOT_FOUND" });
    const [{ granted }] = await Promise.all([app.authorize({ alert: true }), person.deny(app)]);
    assert.equal(granted, false);
    await assert.rejects(app.add("T"), (error) => {
      assert(error instanceof module.NotAllowed && error instanceof module.BelfryError);
      assert.equal(error.reason, "NOTIFICATIONS_NOT_ALLOWED");
      assert.deepEqual([error.domain, error.metadata.code], ["UNErrorDomain", "1"]);
      return true;
    });
  },

  async "a date, a time, a repetition and dates that match"() {
    const app = await allowed();
    const { now } = (await client.call("belfry.v1.AdminService/GetClock")).clock;
    assert(now instanceof Date);
    const hour = 3_600_000, start = now.getTime(), day = 24 * hour;
    const midnight = Math.floor(start / day) * day;
    const later = (clock) => (clock > start ? clock : clock + day);
    for (const [options, expected] of [
      [{ at: new Date(start + 1234) }, start + 1234],
      [{ in: { minutes: 5 } }, start + hour / 12],
      [{ in: "1.5s" }, start + 1500],
      [{ every: { hours: 1 } }, start + hour],
      [{ at: new Date(start + hour), every: { days: 1 } }, start + hour],
      [{ at: new Date(start - hour), every: { hours: 3 }, times: 2 }, start + 2 * hour],
      [{ on: { hour: 8, timeZone: "UTC" } }, later(midnight + 8 * hour)],
      [{ on: { hour: 9, timeZone: "UTC", once: true } }, later(midnight + 9 * hour)],
    ]) {
      const { nextTriggerDate } = await app.add("T", options);
      assert.equal(nextTriggerDate.getTime(), expected, JSON.stringify(options));
    }
    assert.equal((await app.pending()).length, 8);
    for (const [options, said] of [
      [{ at: new Date("nothing") }, /Invalid Date/], [{ at: "2026-01-01" }, /has to be a Date/],
      [{ in: 5 }, /\{ minutes: 5 \}/], [{ in: { minute: 5 } }, /minutes/], [{ when: 5 }, /does not know when/],
      [{ at: now, in: "5s" }, /one of at, in and on/],
    ]) {
      await assert.rejects(app.add("T", options), { name: "TypeError", message: said });
    }
    await assert.rejects(app.add("T", { in: "0s" }), (error) => {
      assert(error instanceof module.InvalidRequest);
      assert.equal(error.fields[0].field, "request.trigger.time_interval.interval");
      return true;
    });
  },

  async "each waits for the answer to its own notification"() {
    const app = await allowed();
    const actions = [{ id: "note", title: "Note", reply: true }];
    const added = await Promise.all(["a", "b", "c"].map((id) => app.add("T", { id, actions })));
    const waits = added.map((each) => app.wait(each));
    for (const id of ["c", "a", "b"]) await person.reply({ id, app: app.id }, "note", `text ${id}`);
    const expected = ["a", "b", "c"].map((id) => ({ id, action: "note", text: `text ${id}` }));
    assert.deepEqual(await Promise.all(waits), expected);
    // A later run is told the same, and what an app is told is complete.
    assert.deepEqual(await app.wait(JSON.parse(JSON.stringify(added[0]))), expected[0]);
    for await (const event of app.events({ after: 0 })) if (event.responseCompleted) break;
    const cleared = await app.add("T", { id: "cleared" });
    await person.dismiss({ id: "cleared", app: app.id });
    assert.equal((await app.wait(cleared)).action, "dismiss");
    const gone = await app.add("T", { id: "gone" });
    await app.remove("gone");
    await assert.rejects(app.wait(gone), { name: "NotAnswered", reason: "REMOVED" });
    const late = await app.add("T", { id: "late" });
    await assert.rejects(app.wait(late, { timeout: 50 }), { name: "DeadlineExceeded", message: /late/ });
    const left = AbortSignal.abort(new Error("left"));
    await assert.rejects(app.wait(late, { signal: left }), { message: "left" });
  },

  async "buttons, texts and data come back as answers"() {
    const app = await allowed();
    const actions = [{ id: "done", title: "Done" }, { id: "note", title: "Note", reply: "Say" }];
    const told = [];
    let enough;
    const all = new Promise((resolve) => (enough = resolve));
    const take = (kind) => ({ id, text, info }) => {
      told.push([kind, id, text, info]);
      if (told.length === 4) enough();
    };
    app.on("done", take("done"));
    for (const id of ["a", "b", "c", "d"]) await app.add("T", { id, actions, info: { id } });
    const [shown] = await person.screen({ apps: [app.id] });
    assert.deepEqual(shown.actions.map(({ title }) => title), ["Done", "Note"]);
    await person.press({ app: app.id, id: "a" }, "done");
    await person.reply({ app: app.id, id: "b" }, "note", "two");
    await person.press(shown.notification);
    // What has no handler waits for one.
    app.on("*", take("any"));
    await person.press({ app: app.id, id: "c" }, "done");
    await all;
    assert.deepEqual(told.sort(), [
      ["any", "b", "two", { id: "b" }], ["any", "d", undefined, { id: "d" }],
      ["done", "a", undefined, { id: "a" }], ["done", "c", undefined, { id: "c" }],
    ]);
    await assert.rejects(person.press({ app: app.id, id: "a" }), { name: "NotFound", message: /is not shown/ });
  },

  async "progress is told quietly"() {
    const app = await allowed();
    for (const progress of [0.25, 0.5]) await app.add("Copying", { id: "copy", progress, quiet: true });
    const [shown] = await person.screen({ apps: [app.id] });
    assert.equal(shown.progress, 0.5);
    await assert.rejects(app.add("T", { progress: 2 }), { reason: "PROGRESS_INVALID" });
  },

  async "an answer that is not handled is told again"() {
    const app = await allowed();
    const wrong = new Error("wrong");
    for (const id of ["a", "b"]) {
      await app.add("T", { id });
      await person.press({ app: app.id, id });
    }
    await assert.rejects(async () => {
      for await (const { id } of app.answers()) throw Object.assign(wrong, { id });
    }, wrong);
    assert.equal(wrong.id, "a");
    const told = [];
    for await (const answer of app.answers()) {
      told.push(`${answer.id} ${answer.action}`);
      if (told.length < 2) continue;
      await answer.complete();
      break;
    }
    assert.deepEqual(told, ["a default", "b default"]);
    const after = await app.add("T", { id: "c" });
    await person.press({ app: app.id, id: "c" });
    for await (const answer of app.answers()) {
      assert.equal(answer.id, "c", "a completed answer was told again");
      break;
    }
    assert.equal(after.state, "REQUEST_STATE_DELIVERED");
  },

  async "a handler may close the client"() {
    const app = await allowed();
    const own = connect({ url });
    const handled = new Promise((resolve) => own.app(app.id).on("default", (answer) => {
      own.close();
      resolve(answer);
    }));
    own.app(app.id).onerror = (error) => assert.fail(error);
    await app.add("T", { id: "a" });
    await person.press({ app: app.id, id: "a" });
    await (await handled).complete();
    for await (const { responseCompleted } of app.events({ after: 0 })) if (responseCompleted) break;
  },

  async "one program of an app is told its answers"() {
    const app = await allowed();
    const subscriptions = async () => (await client.call("belfry.v1.AdminService/GetStats")).subscriptions ?? 0;
    const before = await subscriptions();
    const ended = assert.rejects(app.answers().next(), { name: "Conflict", reason: "NOT_PRIMARY" });
    while ((await subscriptions()) === before);
    const controller = new AbortController();
    const second = connect({ url }).app(app.id).answers({ signal: controller.signal });
    const stopped = assert.rejects(second.next(), { name: "AbortError" });
    await ended;
    controller.abort();
    await stopped;
  },

  async "events are each told once, from any number"() {
    const app = await allowed();
    for (const id of ["a", "b", "c"]) await app.add("T", { id });
    const numbers = [];
    for await (const { number, recordedAt } of app.events({ after: 0 })) {
      assert(recordedAt instanceof Date);
      numbers.push(number);
      if (numbers.length === 4) break;
    }
    assert.deepEqual(numbers, [1, 2, 3, 4]);
    for await (const { number, delivered } of app.events({ after: 3 })) {
      assert.deepEqual([number, delivered.notification.request.identifier], [4, "c"]);
      break;
    }
    await assert.rejects(app.events({ after: 1000 }).next(), { reason: "EVENT_NUMBER_UNKNOWN" });
  },

  async "lists are whole, and what is removed is told"() {
    const app = await allowed();
    const requests = Array.from({ length: 1000 }, (_, index) => ({
      identifier: `n${index}`, content: { title: "T" }, trigger: { timeInterval: { interval: "90000s" } },
    }));
    for (const part of ["", "x"]) {
      const named = requests.map((request) => ({ ...request, identifier: part + request.identifier }));
      await client.call("belfry.v1.NotificationCenterService/AddBatch", { center: { appId: app.id }, requests: named });
    }
    assert.equal((await app.pending()).length, 2000);
    await app.add("T", { id: "shown" });
    assert.deepEqual(await app.remove("n1", "shown", "nothing"), ["n1", "shown"]);
    assert.deepEqual(await app.delivered(), []);
    assert.equal(await app.badge(3), 3);
  },

  async "files are bytes"() {
    const app = await allowed();
    const picture = Uint8Array.from(atob("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="), (letter) => letter.charCodeAt(0));
    await app.add("T", { id: "a", attach: [new Blob([picture], { type: "image/gif" }), { data: picture, name: "dot.gif" }] });
    const [{ request }] = await app.delivered();
    const { attachmentId, type } = request.content.attachments[1];
    assert.equal(type, "com.compuserve.gif");
    let read = [];
    for await (const { chunk } of client.call("belfry.v1.AttachmentService/DownloadAttachment", { appId: app.id, attachmentId })) {
      if (chunk) read = [...read, ...chunk];
    }
    assert.deepEqual(read, [...picture]);
  },

  async "the person locks, sees and watches"() {
    const app = await allowed();
    assert.equal((await person.lock()).locked, true);
    assert.equal((await person.unlock()).locked ?? false, false);
    const controller = new AbortController();
    let banner;
    const watched = assert.rejects(async () => {
      for await (const frame of person.watch({ apps: [app.id], signal: controller.signal })) {
        if (frame.snapshot?.complete) await app.add("Seen", { id: "a" });
        if (!frame.banner) continue;
        banner = frame.banner.notification.title;
        controller.abort();
      }
    }, { name: "AbortError" });
    await watched;
    assert.equal(banner, "Seen");
    assert.equal((await person.dismiss({ app: app.id, id: "a" })).dismissed[0].identifier, "a");
  },

  async "a call that failed on the way is made again with its key"() {
    const keys = [];
    const broken = connect({
      url,
      fetch: (address, options) => {
        const { idempotencyKey } = JSON.parse(options.body);
        keys.push(idempotencyKey);
        if (keys.length < 3) return Promise.reject(new TypeError("fetch failed"));
        return fetch(address, options);
      },
    });
    const { state } = await broken.app((await allowed()).id).add("T");
    assert.equal(state, "REQUEST_STATE_DELIVERED");
    assert.equal(new Set(keys).size, 1);
    assert.match(keys[0], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(keys.length, 3);
  },

  async "what a retry cannot help is told at once, and what can is waited for"() {
    const answers = [];
    const scripted = connect({
      url, timeout: 60_000,
      fetch: async () => new Response(...answers.shift()),
    });
    const refusal = (code, status, ...details) => [JSON.stringify({ code, message: "no", details }), { status }];
    const reason = (reason) => ({ type: "google.rpc.ErrorInfo", value: "", debug: { reason, domain: "belfry" } });
    const retry = { type: "google.rpc.RetryInfo", value: "", debug: { retryDelay: "0.01s" } };
    answers.push(refusal("resource_exhausted", 429, reason("STORE_FULL")));
    await assert.rejects(scripted.call("x.Y/GetZ"), (error) =>
      error instanceof module.StoreFull && error instanceof module.LimitReached);
    answers.push(refusal("resource_exhausted", 429, reason("OVERLOADED"), retry), ["bad gateway", { status: 502 }],
      refusal("unavailable", 503, reason("STOPPING"), retry), refusal("canceled", 499), ['{"done":true}', {}]);
    assert.deepEqual(await scripted.call("x.Y/GetZ"), { done: true });
    answers.push(refusal("out_of_range", 400, reason("EVENTS_TRIMMED")));
    await assert.rejects(scripted.call("x.Y/GetZ"), { name: "EventsTrimmed" });
    assert.equal(answers.length, 0);
  },

  async "a call ends at its deadline and by its signal"() {
    const never = connect({
      url,
      fetch: (_, { signal }) => new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    });
    await assert.rejects(never.call("x.Y/GetZ", {}, { timeout: 1 }), { name: "DeadlineExceeded" });
    const controller = new AbortController();
    const call = never.call("x.Y/GetZ", {}, { signal: controller.signal });
    controller.abort();
    await assert.rejects(call, { name: "AbortError" });
    const open = never.app("org.example.never").events().next();
    never.close();
    await assert.rejects(open, { code: "CANCELLED" });
  },

  async "lengths of time are protobuf's"() {
    for (const [span, text] of [
      [{ minutes: 5 }, "300s"], [{ days: 1, milliseconds: 1 }, "86400.001s"], ["90s", "90s"], [{ weeks: 1 }, "604800s"],
    ]) {
      assert.equal(duration(span), text);
    }
    for (const span of [5, "5 min", null, undefined, { months: 1 }, { minutes: "x" }]) {
      assert.throws(() => duration(span), TypeError);
    }
    assert.equal(newKey(0).slice(0, 13), "00000000-0000");
  },
};

for (const [name, part] of Object.entries(parts)) {
  await part().catch((error) => {
    throw new Error(name, { cause: error });
  });
  console.log(name);
}
client.close();
