// A runner in a process of its own, for tests that kill it. Its options are one JSON line on stdin.
import { type RunnerOptions, startRunner, stopOnSignals } from "@signalbox/runner";
import { stdioDriver } from "@signalbox/host";
import { provenOptions } from "@signalbox/testing/proving-hub";

const [line = ""] = (await Bun.stdin.text()).split("\n");
const { proven, keyText, ...options } = JSON.parse(line) as Omit<RunnerOptions, "hub" | "key"> &
  Parameters<typeof provenOptions>[0];
const runner = await startRunner({
  ...options,
  ...provenOptions({ proven, keyText }),
  drivers: ({ owner }) => [stdioDriver({ owner, graceMs: 500 })],
}).catch((failure: unknown) => {
  console.log(String(failure));
  process.exit(3);
});
stopOnSignals(runner);
console.log("up");
console.log(await runner.closed);
