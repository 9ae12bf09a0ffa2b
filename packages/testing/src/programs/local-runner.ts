import { dirname } from "node:path";
import { locateHub, startRunner, stopOnSignals } from "@signalbox/runner";
import { readDeviceSigningKey } from "@signalbox/runner/keys";
import { runnerStartMessage } from "@signalbox/runner/link";

/** Does what `signalbox runner --own` does. */
const order = runnerStartMessage.parse(JSON.parse(await Bun.stdin.text()));
process.umask(order.umask);
const dataFolder = process.argv[process.argv.indexOf("--data") + 1] ?? "";
const { hub: url, home, runner } = order;
const key = readDeviceSigningKey(order.key);
if (!key) throw new Error("the hub gave no key");
const hub = (over: AbortSignal) => locateHub({ url, ...home }, over);
const hide = home.descriptor === undefined ? [] : [dirname(home.descriptor)];
const running = await startRunner({ hub, key, runner, dataFolder, hide, own: true });
stopOnSignals(running);
console.log(`pid ${process.pid} umask ${process.umask().toString(8)}`);
await running.closed;
process.exit(0);
