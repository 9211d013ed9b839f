// Makes calls with the module, in Node and in a page alike.
import { BelfryError, connect } from "../../../../../Clients/js/belfry.js";

const CODES = [
  "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
  "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
  "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
];

/** Gives what takes commands, as ../README.md has them; `write` gets the reports. */
export function run(url, write) {
  const client = connect({ url });
  const calls = new Map();
  return async ({ id, cancel, method, streams, timeout, request }) => {
    if (cancel) return calls.get(id).abort();
    const controller = new AbortController();
    calls.set(id, controller);
    const options = { timeout: timeout * 1000, signal: controller.signal };
    const tell = (message) => write({ id, message: JSON.stringify(message, withBytes) });
    try {
      const asked = JSON.parse(request);
      if (streams) {
        for await (const message of client.stream(method, asked, options)) tell(message);
      } else {
        tell(await client.call(method, asked, options));
      }
      write({ id, code: 0 });
    } catch (error) {
      write({ id, ...end(error) });
    }
  };
}

function end(error) {
  if (error.name === "AbortError") return { code: CODES.indexOf("CANCELLED") };
  if (!(error instanceof BelfryError)) throw error;
  const code = CODES.indexOf(error.code);
  if (error.details.length === 0) return { code, text: error.message };
  // What the module adds for people.
  const text = error.message.replace(` (${error.reason})`, "");
  return { code, text, details: base64(status(code, text, error.details)) };
}

/** The bytes of a google.rpc.Status. */
function status(code, text, details) {
  const packed = details.map(({ type, value }) => [
    ...field(1, utf8(`type.googleapis.com/${type}`)), ...field(2, octets(value)),
  ]);
  return [0x08, code, ...field(2, utf8(text)), ...packed.flatMap((detail) => field(3, detail))];
}

function field(number, content) {
  const length = [];
  let rest = content.length;
  for (; rest > 0x7f; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return [(number << 3) | 2, ...length, rest, ...content];
}

const utf8 = (text) => [...new TextEncoder().encode(text)];
const octets = (text) => [...atob(text)].map((letter) => letter.charCodeAt(0));
const base64 = (list) => btoa(String.fromCharCode(...list));
const withBytes = (_, value) =>
  value instanceof Uint8Array ? btoa(Array.from(value, (octet) => String.fromCharCode(octet)).join("")) : value;
