import { join } from "node:path";
import { ownRunnerOrder, startRunner, stopOnSignals } from "@signalbox/runner";

/**
 * The hub's own runner up to the moment before it connects: it takes its folder and its lock, and then
 * never finds its hub. A test that wants a runner which has not connected yet starts this one, whatever
 * the speed of the machine.
 */
const { token, runner } = ownRunnerOrder.parse(JSON.parse(await Bun.stdin.text()));
const dataFolder = process.argv[process.argv.indexOf("--data") + 1] ?? "";
const running = await startRunner({
  hub: (over) =>
    new Promise((_, reject) => {
      over.addEventListener("abort", () => reject(new Error("the runner ends")));
    }),
  token,
  runner,
  dataFolder,
  own: true,
});
stopOnSignals(running);
await Bun.write(join(dataFolder, "has-lock"), "");
await running.closed;
process.exit(0);
