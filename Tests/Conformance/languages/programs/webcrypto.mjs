// What Node 20 has by itself, for the tests on an older one.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
