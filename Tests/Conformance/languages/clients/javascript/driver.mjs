// Makes the calls that standard input asks for, of the server whose address is the argument.
import "../../programs/webcrypto.mjs";
import { createInterface } from "node:readline";
import { run } from "./calls.mjs";

const write = (report) => process.stdout.write(JSON.stringify(report) + "\n");
const command = run(process.argv[2], write);
createInterface({ input: process.stdin })
  .on("line", (line) => command(JSON.parse(line)))
  .on("close", () => process.stdout.write("", () => process.exit(0)));
