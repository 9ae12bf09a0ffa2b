import { join } from "node:path";
import { runnerStartMessage } from "@signalbox/runner/link";
import { startRunner, stopOnSignals } from "@signalbox/runner";
import { readDeviceSigningKey } from "@signalbox/runner/keys";

/**
 * The hub's own runner up to the moment before it connects: it takes its folder and its lock, and then
 * never finds its hub. A test that wants a runner which has not connected yet starts this one, whatever
 * the speed of the machine.
 */
const { key: text, runner } = runnerStartMessage.parse(JSON.parse(await Bun.stdin.text()));
const key = readDeviceSigningKey(text);
if (!key) throw new Error("the hub gave no key");
const dataFolder = process.argv[process.argv.indexOf("--data") + 1] ?? "";
const running = await startRunner({
  hub: (over) =>
    new Promise((_, reject) => {
      over.addEventListener("abort", () => reject(new Error("the runner ends")));
    }),
  key,
  runner,
  dataFolder,
  own: true,
});
stopOnSignals(running);
await Bun.write(join(dataFolder, "has-lock"), "");
await running.closed;
process.exit(0);
