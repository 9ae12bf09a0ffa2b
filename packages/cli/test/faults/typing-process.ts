// A client in a process of its own, on a machine of its own: it tells how it stands with the hub, and
// types each line that it reads into a session.
import { connect } from "@signalbox/client";
import { readDevice } from "@signalbox/testing/paired-device";

const [url = "", token = "", session = ""] = process.argv.slice(2);
const client = connect({ url, device: await readDevice(token) });
const tell = () => console.log(client.state.kind);
client.onState(tell);
client.watchSession(session);
for await (const line of console) await client.outbox.add(session, { text: line });
