// A hub in a process of its own, for tests that kill it, stop it or starve it. Its options are one
// line of JSON on standard input, those of its relay among them; it tells where it is, and the first pairing code, in one line.
import { type HubOptions, startHub } from "@signalbox/hub";
import { relayExtension, type RelayExtensionOptions } from "@signalbox/relay";

const { relay, ...options } = JSON.parse(await Bun.stdin.text()) as HubOptions & {
  relay?: RelayExtensionOptions;
};
const extensions = [relayExtension(relay)];
const hub = await startHub({ ...options, extensions }).catch((failure: unknown) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(3);
});
process.once("SIGTERM", () => void hub.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ url: hub.url, code: hub.firstPairing()?.code }));
