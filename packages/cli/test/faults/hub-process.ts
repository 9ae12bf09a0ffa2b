// A hub in a process of its own, for tests that kill it, stop it or starve it. Its options are one
// line of JSON on standard input; it tells where it is, and the first pairing code, in one line.
import { startHub } from "@signalbox/hub";

const options = JSON.parse(await Bun.stdin.text()) as Parameters<typeof startHub>[0];
const hub = await startHub(options).catch((failure: unknown) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(3);
});
process.once("SIGTERM", () => void hub.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ url: hub.url, code: hub.firstPairing()?.code }));
