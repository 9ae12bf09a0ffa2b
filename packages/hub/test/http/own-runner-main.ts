import { dirname } from "node:path";
import { findOwnHub, ownRunnerOrder, startRunner, stopOnSignals } from "@signalbox/runner";

/** What `signalbox runner --own` does, for tests of the hub. */
const order = ownRunnerOrder.parse(JSON.parse(await Bun.stdin.text()));
process.umask(order.umask);
const dataFolder = process.argv[process.argv.indexOf("--data") + 1] ?? "";
const { hub: url, home, token, runner } = order;
const hub = home ? (over: AbortSignal) => findOwnHub({ url, ...home }, over) : url;
const hide = home ? [dirname(home.descriptor)] : [];
const running = await startRunner({ hub, token, runner, dataFolder, hide, own: true });
stopOnSignals(running);
console.log(`pid ${process.pid} umask ${process.umask().toString(8)}`);
await running.closed;
process.exit(0);
