// A process that adopts orphans and runs one fake agent which starts a child that throws everything off.
// Prints what is left of the child, and of dead children, once the run is over.
import { adoptOrphans } from "@signalbox/host/agents";
import { Isolation } from "@signalbox/host/isolation";
import { stdioDriver } from "@signalbox/host";
import { until } from "@signalbox/testing/until";
import { fakeLaunch } from "@signalbox/testing/fake-agent";
import { listChildren } from "./dead-children.ts";
import { sleeping } from "./sleeping.ts";

const [seconds = ""] = process.argv.slice(2);
using _ = await adoptOrphans();
const driver = stdioDriver({ isolation: new Isolation({ hide: [] }) });
const run = await driver.start(fakeLaunch("obeys", { isolation: "off" }));
void (async () => {
  for await (const _line of run.incoming);
})();
const leave = `setsid env -i prlimit --rttime=unlimited: sh -c "sleep ${seconds}; :" & exit 0`;
const content = JSON.stringify({ spawn: ["sh", "-c", leave] });
await run.send(JSON.stringify({ type: "user", message: { role: "user", content } }));
await until("the child runs", () => sleeping(seconds).length > 0);
await run.close();
await until(
  "nothing of the run is left",
  () => sleeping(seconds).length === 0 && listChildren() === "",
);
console.log("all gone");
process.exit(0);
