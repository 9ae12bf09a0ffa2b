// A runner in a process of its own, for tests that kill it. Its options are one JSON line on stdin.
import { startRunner, stdioDriver, stopOnSignals } from "@signalbox/runner";

const [line = ""] = (await Bun.stdin.text()).split("\n");
const options = JSON.parse(line) as Parameters<typeof startRunner>[0];
const runner = await startRunner({
  ...options,
  drivers: (owner) => ({ stdio: stdioDriver({ owner, graceMs: 500 }) }),
}).catch((failure: unknown) => {
  console.log(String(failure));
  process.exit(3);
});
stopOnSignals(runner);
console.log("up");
console.log(await runner.closed);
