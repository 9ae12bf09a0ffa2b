import { connect, importDeviceKey } from "@signalbox/client";
import { until } from "../until.ts";

/**
 * Many clients in a process of their own. Titles are times: how late one comes is its delay. Reads
 * `report` and `until TITLE` from standard input, and prints a line of JSON for each.
 */
const [url = "", token = "", count = "0", session = ""] = process.argv.slice(2);
/** A device's key, and the hub that it keeps to. */
const [text = "", hubId = "", hubKey = ""] = token.split(" ");
const device = { ...(await importDeviceKey(text)), hub: { id: hubId, key: hubKey } };
const delays: number[] = [];
const titles = new Map<number, string>();
const clients = Array.from({ length: Number(count) }, (_, nth) => {
  const client = connect({ url, device, schedule: (run) => run() });
  const watch = client.watchBoard();
  watch.subscribe(() => {
    const title = watch.view.session(session)?.title;
    if (title === undefined || titles.get(nth) === title) return;
    const fresh = titles.has(nth);
    titles.set(nth, title);
    if (fresh) delays.push(Date.now() - Number(title));
  });
  return client;
});
const all = (title?: string) =>
  titles.size === clients.length &&
  (title === undefined || [...titles.values()].every((has) => has === title));
const say = (value: object) => console.log(JSON.stringify(value));

await until(() => all());
say({ connected: titles.size });
for await (const line of console) {
  const [word, title] = line.split(" ");
  if (word === "report") {
    const sorted = delays.splice(0).toSorted((a, b) => a - b);
    say({ seen: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? null });
  }
  if (word === "until") {
    await until(() => all(title));
    say({ at: Date.now() });
  }
  if (word === "leave") break;
}
for (const client of clients) client.close();
process.exit(0);
