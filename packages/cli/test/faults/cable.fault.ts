import { expect, test } from "bun:test";
import { join } from "node:path";
import { hasNetworks, openNetwork } from "./network.ts";
import { agentLines, difference } from "./recorder.ts";
import { Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";
import { within } from "@signalbox/testing/until";

/** Hub and clients beat every 15 s; a connection without any is dead after this. */
const DEAD_MS = 35_000;

/** A client beyond the cable; what it says, one word after another. */
function typist(room: Room, network: ReturnType<typeof openNetwork>, session: string) {
  const script = join(import.meta.dir, "typing-process.ts");
  const args = [process.execPath, script, network.url, room.desk.text, session];
  const child = Bun.spawn([...network.under, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...network.environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return {
    async type(text: string) {
      await child.stdin.write(`${text}\n`);
      await child.stdin.flush();
    },
    async until(word: string) {
      while (!rest.split("\n").includes(word)) {
        const { value, done } = await within(`the client is ${word}`, lines.read());
        if (done) throw new Error(`the client is gone before it was ${word}`);
        rest += value;
      }
      rest = rest.slice(rest.indexOf(`${word}\n`) + word.length + 1);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

test.if(hasNetworks)(
  "a cable that is pulled: hub, runner and client find the connection dead within 35 s, and what was typed and said arrives once",
  async () => {
    using network = openNetwork();
    await using room = await Room.open({ hub: network.hub, far: network });
    using board = room.admin.watchBoard();
    const { id } = await room.session([{ tell: "first" }]);
    await room.idle(id, 1);
    await using client = typist(room, network, id);
    await client.until("live");
    await room.send(id, [{ lines: 500, everyMs: 10 }, { tell: "said in the dark" }]);
    await when(board, () => board.view.session(id)?.summary.status === "active");
    expect((await network.connections()).length).toBeGreaterThanOrEqual(2);

    network.pull();
    const since = performance.now();
    const after = () => Math.round(performance.now() - since);
    await client.type(JSON.stringify([{ tell: "typed in the dark" }]));
    const noConnections = async () => {
      let left = await network.connections();
      for (; left.length > 0; left = await network.connections()) {
        if (after() > DEAD_MS) throw new Error(`the hub still holds ${left.join("; ")}`);
        await Bun.sleep(200);
      }
    };
    const [clientMs, runnerGoneMs, hubFreeMs] = await Promise.all([
      client.until("offline").then(after),
      room.untilRunner(false).then(after),
      noConnections().then(after),
    ]);
    const figures = { clientMs, runnerGoneMs, hubFreeMs };
    console.log(JSON.stringify(figures));
    for (const ms of Object.values(figures)) expect(ms).toBeLessThanOrEqual(DEAD_MS);

    network.plug();
    await client.until("live");
    await room.idle(id, 3);
    const items = await freshItems(room.client(), id);
    for (const text of ["said in the dark", "typed in the dark"]) {
      expect(items.filter((item) => item.kind === "text" && item.text === text)).toHaveLength(1);
    }
    const stored = (await agentLines(room.admin, id)).filter((line) =>
      line.includes('"session_id"'),
    );
    const conversation = (JSON.parse(stored[0] ?? "{}") as { session_id: string }).session_id;
    const none = { lost: 0, doubled: 0, reordered: 0 };
    expect(difference(room.said(conversation), stored)).toEqual(none);
  },
  300_000,
);
