import { expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { HookChannel } from "../../src/drivers/pty/hook-channel.ts";

setDefaultTimeout(180_000);

test("[PT6] calls of hooks that never end are not kept beyond a limit, and the next one is answered", async () => {
  using channel = await HookChannel.open(async ({ word }) => ({ answer: word }));
  const socket = join(channel.folder, "hook.sock");
  const piece = Buffer.alloc(40 << 20, "x");
  const calls = Array.from({ length: 4 }, () => connect(socket));
  const closed = new Set<number>();
  calls.forEach((call, nth) => {
    call.on("error", () => {});
    call.on("close", () => closed.add(nth));
    call.write(piece);
  });
  await until(() => closed.size > 0);
  for (const call of calls) call.destroy();
  const call = connect(socket);
  call.write(`${JSON.stringify({ word: "here" })}\n`);
  const [answer] = (await once(call, "data")) as [Buffer];
  expect(answer.toString()).toBe('{"answer":"here"}\n');
});
