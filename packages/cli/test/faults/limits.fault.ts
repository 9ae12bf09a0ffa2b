import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createConnection, type Socket } from "node:net";
import { hasStrace } from "@signalbox/testing/machine";
import { agentLines, difference, readLog } from "./recorder.ts";
import { Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";

/** No new descriptor with this number or above; those that are open stay. */
function limit(pid: number, most: number): void {
  const { status } = spawnSync("prlimit", ["--pid", String(pid), `--nofile=${most}:`]);
  expect(status).toBe(0);
}
/** Below the standard streams' neighbours everything is taken. */
const NONE = 4;
const ENOUGH = 1000;

test("a hub without descriptors lives, and serves again when there are some", async () => {
  await using room = await Room.open();
  const { id } = await room.session([{ tell: "begin" }]);
  await room.idle(id, 1);
  limit(room.hub.pid, NONE);
  const port = Number(new URL(room.url).port);
  const sockets: Socket[] = [];
  for (let n = 0; n < 100; n++) {
    sockets.push(createConnection(port, "127.0.0.1").on("error", () => {}));
  }
  await Bun.sleep(2000);
  expect(room.hub.exitCode).toBeNull();
  for (const socket of sockets) socket.destroy();
  limit(room.hub.pid, ENOUGH);
  await room.send(id, [{ tell: "after the crowd" }]);
  await room.idle(id, 2);
  expect((await readLog(room.admin, id)).length).toBeGreaterThan(4);
  expect(room.hub.exitCode).toBeNull();
}, 300_000);

test("a runner that cannot open a pipe refuses that start with a sentence, and lives", async () => {
  await using room = await Room.open();
  using board = room.admin.watchBoard();
  const first = await room.session([{ tell: "begin" }]);
  await room.idle(first.id, 1);
  limit(room.runner.pid, NONE);
  const second = await room.session([{ tell: "too many" }]);
  await when(board, () => board.view.session(second.id)?.state === "crashed");
  console.log(JSON.stringify({ problem: board.view.session(second.id)?.problem }));
  expect(board.view.session(second.id)?.problem).toContain("EMFILE");
  // The others notice nothing, and there is room again.
  await room.send(first.id, [{ tell: "still here" }]);
  await room.idle(first.id, 2);
  limit(room.runner.pid, ENOUGH);
  await room.admin.wake(second.id);
  await room.idle(second.id, 1);
  expect(room.runner.exitCode).toBeNull();
}, 300_000);

/** While this is there, a system call of a process that runs fails, such as `vfork:error=ENOMEM`. */
async function failing(pid: number, inject: string) {
  const calls = inject.slice(0, inject.indexOf(":"));
  const options = ["-f", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", `inject=${inject}`];
  const strace = Bun.spawn(["strace", ...options, "-p", String(pid)], { stderr: "pipe" });
  let told = "";
  for await (const chunk of strace.stderr) {
    told += new TextDecoder().decode(chunk);
    if (told.includes("attached")) break;
  }
  return {
    async [Symbol.asyncDispose]() {
      strace.kill("SIGINT"); // it lets go; the process goes on
      await strace.exited;
    },
  };
}

test.if(hasStrace).each(["EAGAIN", "ENOMEM"])(
  "a runner that cannot make a process (%s) refuses that start with a sentence, and lives",
  async (error) => {
    await using room = await Room.open();
    using board = room.admin.watchBoard();
    const first = await room.session([{ tell: "begin" }]);
    await room.idle(first.id, 1);
    let second = "";
    {
      await using _ = await failing(room.runner.pid, `vfork,fork:error=${error}`);
      second = (await room.session([{ tell: "one too many" }])).id;
      await when(board, () => board.view.session(second)?.state === "crashed");
      const problem = board.view.session(second)?.problem ?? "";
      console.log(JSON.stringify({ error, problem }));
      expect(problem).toContain(`too little left for another process (${error}`);
      // Those that run notice nothing.
      await room.send(first.id, [{ tell: "still here" }]);
      await room.idle(first.id, 2);
    }
    expect(room.runner.exitCode).toBeNull();
    await room.admin.wake(second);
    await room.idle(second, 1);
    expect(room.hub.exitCode).toBeNull();
  },
  300_000,
);

test("asked to end in the middle of a stream, the hub has written everything within ten seconds", async () => {
  await using room = await Room.open();
  using board = room.admin.watchBoard();
  const { id } = await room.session([
    { stream: 1500, everyMs: 2 },
    { lines: 200 },
    { tell: "end" },
  ]);
  await when(board, () => board.view.session(id)?.summary.status === "active");
  for (let n = 0; n < 5; n++) {
    await Bun.sleep(200);
    const since = performance.now();
    room.hub.kill("SIGTERM");
    expect(await room.hub.exited).toBe(0);
    const tookMs = Math.round(performance.now() - since);
    console.log(JSON.stringify({ endedMs: tookMs }));
    expect(tookMs).toBeLessThan(10_000);
    await room.startHub();
  }
  await room.idle(id, 1);
  const all = await agentLines(room.admin, id);
  const stored = all.filter((line) => line.includes('"session_id"'));
  const conversation = (JSON.parse(stored[0] ?? "{}") as { session_id: string }).session_id;
  expect(difference(room.said(conversation), stored)).toEqual({
    lost: 0,
    doubled: 0,
    reordered: 0,
  });
}, 300_000);

test("prompts from 1 KB to 20 MB arrive whole, once and in order", async () => {
  await using room = await Room.open();
  const { id } = await room.session();
  const sizes = [1000, 65_535, 65_536, 146_000, 1_000_000, 5_000_000, 20_000_000];
  for (const size of sizes) await room.admin.send(id, { text: "p".repeat(size) });
  await room.idle(id, sizes.length);
  const items = await freshItems(room.client(), id);
  const heard = items.flatMap((item) =>
    item.kind === "text" && item.text.startsWith("heard ") ? [Number(item.text.slice(6))] : [],
  );
  expect(heard).toEqual(sizes);
  expect((await room.admin.session(id)).queue).toEqual([]);
}, 300_000);
