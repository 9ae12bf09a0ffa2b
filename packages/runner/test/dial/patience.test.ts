import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dial, type DialEvent, type DialOptions } from "@signalbox/runner/dial";
import { Clock } from "@signalbox/testing/clock";
import { FakeRelay } from "@signalbox/testing/fake-relay";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

/** An agent that says nothing and stays. */
const silent: DialOptions["process"] = {
  incoming: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) },
  closed: new Promise(() => {}),
  exitStatus: undefined,
  stderr: "",
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** With everything as it is unless somebody says otherwise. */
function dialed(url: string) {
  const dataFolder = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  const news: DialEvent[] = [];
  const about = { folder: "/", agent: {} };
  const onEvent = (each: DialEvent) => void news.push(each);
  const dial = new Dial({ url, process: silent, about, dataFolder, onEvent });
  return {
    dial,
    news,
    [Symbol.dispose]() {
      dial.leave();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
test("[DL9] every ten seconds the relay gets a ping", async () => {
  using relay = new FakeRelay();
  using clock = new Clock();
  using one = dialed(relay.url);
  await until(() => one.dial.isConnected);
  for (let nth = 0; nth < 3; nth += 1) {
    const before = relay.pings;
    await clock.pass(10_000);
    await until(() => relay.pings > before);
  }
});

test("[DL9] a relay that sends nothing for five seconds gets plain lines", async () => {
  using relay = new FakeRelay("silent");
  using clock = new Clock();
  using one = dialed(relay.url);
  await until(() => relay.isConnected);
  await clock.pass(5000);
  await until(() => one.news.length > 0);
  expect(one.news).toEqual([{ kind: "connected", plain: true }]);
});

test("[DL9] dial waits for a hub that has sent welcome before, however late its first frame is", async () => {
  using relay = new FakeRelay();
  using clock = new Clock();
  using one = dialed(relay.url);
  await until(() => one.dial.isConnected);
  relay.isLate = true;
  relay.cut();
  await until(() => one.news.length === 2);
  const [, away] = one.news;
  await clock.pass(away?.kind === "away" ? away.againMs : 0);
  await until(() => relay.connections === 2);
  await clock.pass(5000);
  relay.welcome();
  await until(() => one.dial.isConnected);
  const forms = one.news.flatMap((each) => (each.kind === "connected" ? [each.plain] : []));
  expect(forms).toEqual([false, false]);
});

test("[DL2] a relay that cannot be reached is dialed after one to two seconds, with delays of up to thirty, for ever; the delays start again after a connection", async () => {
  using relay = new FakeRelay();
  await relay.close();
  using clock = new Clock();
  using one = dialed(relay.url);
  const waits = () => one.news.flatMap((each) => (each.kind === "away" ? [each.againMs] : []));
  const wait = async (nth: number) => {
    await until(() => waits().length >= nth);
    return waits()[nth - 1] ?? 0;
  };
  for (let nth = 1; nth <= 12; nth += 1) await clock.pass(await wait(nth));
  const last = await wait(13);
  const full = [2, 4, 8, 16, ...Array<number>(8).fill(30)].map((seconds) => seconds * 1000);
  for (const [at, most] of full.entries()) {
    expect(waits()[at]).toBeWithin(most / 2, most + 1);
  }
  expect(new Set(waits().slice(4)).size).toBeGreaterThan(1); // never all at once
  relay.open();
  await clock.pass(last);
  await until(() => one.dial.isConnected);
  const before = waits().length;
  relay.cut();
  expect(await wait(before + 1)).toBeWithin(1000, 2001);
});
