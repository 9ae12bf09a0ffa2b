// A client in a process of its own, for tests that put it to sleep.
import { connect } from "@signalbox/client";
import { readDevice } from "@signalbox/testing/paired-device";

const { url, token, session } = JSON.parse(await Bun.stdin.text()) as Record<string, string>;
const client = connect({ url: url ?? "", device: await readDevice(token ?? "") });
const watch = client.watchSession(session ?? "");
const tell = () => console.log(watch.view.cursor?.rev ?? 0);
watch.subscribe(tell);
