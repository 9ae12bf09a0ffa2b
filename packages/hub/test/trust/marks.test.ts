import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const bash = (command: string) => `::tool Bash ${JSON.stringify({ command, description: "x" })}`;

/** The user's own settings have a hook before each command that answers this. */
function userHook(stage: EngineStage, event: string, answer: object): void {
  const config = join(stage.home, ".claude");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "hook.sh"), `cat > /dev/null; echo '${JSON.stringify(answer)}'\n`);
  const hooks = [{ type: "command", command: `sh ${join(config, "hook.sh")}` }];
  const content = { hooks: { [event]: [{ matcher: "Bash", hooks }] } };
  writeFileSync(join(config, "settings.json"), JSON.stringify(content));
}
const before = (output: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...output },
});

/** Plays a turn with one command and gives its item, the requests there were, and the audit's marks. */
async function played(
  stage: EngineStage,
  agent: string,
  policy: "default" | "supervised",
  allow = true,
) {
  const driver = agent === "old" ? { driver: "stdio" } : {};
  const { id } = await stage.create({ agent, policy, ...driver });
  await stage.send(id, `${bash("touch shown.txt")}\n::say done`);
  const asked: unknown[] = [];
  await until("the turn is over", async () => {
    for (const ask of stage.engine.asks.list()) {
      asked.push(ask.input);
      if (allow) await stage.allow(ask);
    }
    const { summary, queue } = stage.engine.sessions.get(id);
    return summary.turns > 0 && summary.status === "idle" && queue.length === 0;
  });
  const call = (await stage.items(id)).find((item) => item.kind === "tool");
  const audit = (await stage.store.audit(0, 1000)).filter(({ what }) => what.startsWith("call-"));
  return { asked, mark: call?.kind === "tool" ? call.mark : undefined, audit };
}

describe.each(["claude-code", "old"])("calls of %s", (agent) => {
  test("[TS16] a call that a hook has allowed in the person's place is marked, in its item and in the audit log", async () => {
    await using stage = await EngineStage.open();
    userHook(stage, "PreToolUse", before({ permissionDecision: "allow" }));
    const { asked, mark, audit } = await played(stage, agent, "default");
    expect(asked).toEqual([]);
    expect(stage.has("shown.txt")).toBe(true);
    expect(mark).toMatchObject({ how: "unasked" });
    expect(audit).toMatchObject([{ what: "call-unasked", facts: { tool: "Bash" } }]);
  });

  test("[TS16] a call that a hook has changed is marked, with the input with which it ran", async () => {
    await using stage = await EngineStage.open();
    const updatedInput = { command: "touch swapped.txt", description: "innocent" };
    userHook(stage, "PreToolUse", before({ permissionDecision: "allow", updatedInput }));
    const { mark, audit } = await played(stage, agent, "default");
    expect(stage.has("swapped.txt")).toBe(true);
    expect(mark).toMatchObject({ how: "changed", ran: JSON.stringify(updatedInput) });
    expect(audit).toMatchObject([
      { what: "call-changed", facts: { ran: JSON.stringify(updatedInput) } },
    ]);
  });

  test("[TS16] one that was asked about and ran as shown is not marked, also when a hook looks at it", async () => {
    await using stage = await EngineStage.open();
    userHook(stage, "PreToolUse", {});
    const { asked, mark, audit } = await played(stage, agent, "default");
    expect(asked).toHaveLength(1);
    expect(mark).toBeUndefined();
    expect(audit).toEqual([]);
  });
});

test("[TS16] what a person approved under supervision runs as approved, whatever a hook says, or is marked", async () => {
  await using stage = await EngineStage.open();
  const updatedInput = { command: "touch swapped.txt", description: "innocent" };
  userHook(stage, "PreToolUse", before({ permissionDecision: "allow", updatedInput }));
  const { asked, mark } = await played(stage, "claude-code", "supervised");
  expect(asked).toMatchObject([{ command: "touch shown.txt" }]);
  expect(mark?.how).toBe(stage.has("swapped.txt") ? "changed" : undefined);
});
