// Makes the calls that the driver's stream has, with the module as a page loads it.
import { run } from "/Tests/Conformance/languages/clients/javascript/calls.mjs";

// One report after the other, since they are in order.
let sent = Promise.resolve();
const write = (report) => {
  sent = sent.then(() => fetch("/report", { method: "POST", body: JSON.stringify(report) }));
};
const command = run(new URLSearchParams(location.search).get("server"), write);
new EventSource("/commands").onmessage = ({ data }) => command(JSON.parse(data));
