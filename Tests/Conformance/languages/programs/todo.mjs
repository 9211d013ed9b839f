// An app that may be killed at any time: what it has seen and tried is in a journal, of which it goes
// on. Arguments: the server's address, the journal, and a file that ends the scheduling.
import "./webcrypto.mjs";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { connect, newKey, NotFound } from "../../../../Clients/js/belfry.js";

const [url, path, end] = process.argv.slice(2);
const journal = existsSync(path)
  // The last line may have been cut by a kill; what it says was not done then.
  ? readFileSync(path, "utf8").split("\n").slice(0, -1).flatMap((line) => line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : [])
  : [];
const file = openSync(path, "a");
if (journal.length) writeSync(file, "\n");
const note = (entry) => {
  writeSync(file, JSON.stringify(entry) + "\n");
  fsyncSync(file);
};

const app = connect({ url }).app("org.example.resume");
const person = connect({ url }).device();

async function schedule() {
  let tried = journal.filter((entry) => entry.tried).pop();
  for (;;) {
    if (tried) {
      const { tried: id, key } = tried;
      const actions = [{ id: "done", title: "Done" }];
      await app.add("T", { id, key, actions, timeout: 120_000 });
      // After a kill it may have been pressed already.
      await person.press(id, "done").catch((error) => {
        if (!(error instanceof NotFound)) throw error;
      });
    }
    if (existsSync(end)) return;
    tried = { tried: `n${Number(tried?.tried.slice(1) ?? 0) + 1}`, key: newKey() };
    note(tried);
  }
}

async function follow() {
  const after = journal.filter((entry) => entry.event).pop()?.event ?? 0;
  for await (const { number, delivered, responseCompleted } of app.events({ after })) {
    note({
      event: number,
      shown: delivered?.notification.request.identifier,
      completed: responseCompleted?.notification.identifier,
    });
  }
}

async function answer() {
  const known = new Set(journal.filter((entry) => entry.answer).map((entry) => entry.answer));
  const seen = new Set();
  for await (const { callbackId, id, action } of app.answers()) {
    if (seen.has(callbackId)) note({ twice: callbackId });
    seen.add(callbackId);
    if (!known.has(callbackId)) note({ answer: callbackId, id, action });
  }
}

await app.authorize({ alert: true });
await Promise.all([schedule(), follow(), answer()]);
closeSync(file);
