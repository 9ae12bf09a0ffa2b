// Pairs with a hub by the link that `signalbox serve` or `signalbox pair` prints, and lists its sessions.
import { connect, generateDeviceKey, pairDevice } from "@signalbox/client";

const link = new URL(process.argv[2] ?? "http://localhost:8765/#pair=CODE");
const url = link.origin;
const code = link.hash.replace("#pair=", "");

const { privateKey, publicKey } = await generateDeviceKey();
const { device, hub } = await pairDevice({ url, code, name: "client example", publicKey });
using client = connect({ url, device: { device: device.id, privateKey, hub } });

const sessions = await client.sessions();
console.log(`paired as ${device.role}; ${sessions.length} session(s)`);
for (const { title, summary } of sessions) console.log(`${summary.status}: ${title}`);
