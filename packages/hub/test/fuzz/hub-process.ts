// A hub in a process of its own, whose memory can be looked at. Its argument is its data folder.
import { startHub } from "@signalbox/hub";

const [data = ""] = process.argv.slice(2);
const hub = await startHub({ data, version: "fuzz", port: 0 });
process.once("SIGTERM", () => void hub.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ url: hub.url, port: hub.port, code: hub.firstPairing()?.code }));
