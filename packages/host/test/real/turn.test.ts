import { expect, setDefaultTimeout, test } from "bun:test";
import { Host, stdioDriver } from "@signalbox/host";
import { agents, openStage } from "@signalbox/testing/agent-stage";

setDefaultTimeout(180_000);

test("[TP6] with the real Claude Code a turn ends after its background work has reported, and a signal interrupts it", async () => {
  await using stage = await openStage();
  const { folder, inheritFrom, environment } = stage;
  const launch = { folder, agentPath: agents["2.1.325"], inheritFrom, environment };
  await using host = await Host.start(stdioDriver(), launch, { policy: "autonomous" });
  const first = await host.turn({ text: "::say hello" }).readToEnd();
  expect(first).toMatchObject({ kind: "finished", result: { result: "hello" } });

  const work = { command: "sleep 1; touch made.txt", run_in_background: true };
  const prompt = `::tool Bash ${JSON.stringify(work)}\n::say started`;
  expect(await host.turn({ text: prompt }).readToEnd()).toMatchObject({ kind: "finished" });
  expect(stage.has("made.txt")).toBe(true);

  const enough = new AbortController();
  const slow = host.turn({ text: '::tool Bash {"command":"sleep 600"}' }, enough);
  const reading = (async () => {
    for await (const line of slow) {
      if (line.kind === "known" && line.message.type === "assistant") enough.abort();
    }
  })();
  expect(await reading.catch((failure: unknown) => (failure as Error).name)).toBe("AbortError");
  const after = await host.turn({ text: "::say again" }).readToEnd();
  expect(after).toMatchObject({ kind: "finished", result: { result: "again" } });
});
