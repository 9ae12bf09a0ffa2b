import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyVersion } from "@signalbox/testing/agent-versions";
import { EngineStage, person } from "@signalbox/testing/engine-stage";
import { SeenScreen } from "@signalbox/testing/seen-screen";

setDefaultTimeout(180_000);

const bash = (command: string) => `::tool Bash ${JSON.stringify({ command })}\n::say done`;

/** What a conversation shows: prompts, texts and calls, in order. */
async function outline(stage: EngineStage, session: string): Promise<string[]> {
  const items = await stage.items(session);
  return items.flatMap((item) => {
    if (item.kind === "prompt") return `> ${JSON.stringify(item.content)}`;
    if (item.kind === "text") return item.text;
    if (item.kind === "tool") return `${item.name} ${item.status}`;
    return [];
  });
}

describe("Claude Code in its own terminal", () => {
  test("[PT1] [PT3] [PT4] [PT5] messages are typed, and what is said there becomes the session's items", async () => {
    await using stage = await EngineStage.open();
    stage.acceptFirstRun();
    const { id } = await stage.create({ driver: "pty", prompt: { text: "::say hello there" } });
    await stage.turns(id, 1);
    await stage.send(id, "!touch escaped");
    await stage.turns(id, 2);
    await stage.send(id, "/permissions");
    await stage.turns(id, 3);
    expect(stage.has("escaped")).toBe(false);
    const items = await stage.items(id);
    expect(items.filter(({ kind }) => kind === "prompt").length).toBe(3);
    const notices = items.flatMap((item) => (item.kind === "notice" ? item.text : []));
    expect(notices.join("\n")).toContain("The command /permissions was not typed");
    expect(await stage.texts(id)).toEqual(["hello there", "Echo: !touch escaped"]);
    expect(stage.engine.sessions.get(id).summary.driver).toBe("pty");
  });

  test.each(everyVersion)(
    "[PT7] [PT8] %s: a request of the terminal is answered by the hub or at the terminal, once",
    async (version) => {
      await using stage = await EngineStage.open();
      stage.acceptFirstRun();
      const { id } = await stage.create({
        driver: "pty",
        agent: version === "2.1.7" ? "old" : "claude-code",
        prompt: { text: bash("touch by-hub") },
      });
      const ask = await stage.ask(id);
      expect(ask).toMatchObject({ tool: "Bash", input: { command: "touch by-hub" } });
      expect(ask.callId).toBeString();
      await stage.allow(ask);
      await stage.turns(id, 1);
      expect(stage.has("by-hub")).toBe(true);

      using screen = new SeenScreen(stage, id);
      await stage.send(id, bash("touch by-key"));
      const shown = await stage.ask(id);
      await screen.answer("Do you want to proceed?", "1");
      await stage.turns(id, 2);
      expect(stage.has("by-key")).toBe(true);
      expect(stage.engine.asks.list()).toEqual([]);
      const closed = (await stage.items(id)).find((item) => item.id === shown.requestId);
      expect(closed).toMatchObject({ status: "answered", behavior: "allow", by: person.name });
      const prompt = (command: string) => `> ${JSON.stringify(bash(command))}`;
      expect(await outline(stage, id)).toEqual([
        prompt("touch by-hub"),
        "Bash complete",
        "done",
        prompt("touch by-key"),
        "Bash complete",
        "done",
      ]);
    },
  );

  test("[PT6] an agent sees the socket of its own hooks, and those of no other", async () => {
    await using stage = await EngineStage.open();
    stage.acceptFirstRun();
    const other = await stage.create({ driver: "pty" });
    await stage.engine.sessions.wake(other.id, person);
    const command = "ls -A /dev/signalbox-hooks /tmp/signalbox-$(id -u) > seen 2>&1; true";
    const { id } = await stage.create({ driver: "pty", prompt: { text: bash(command) } });
    await stage.until(() => stage.engine.terminals.list().length === 2);
    await stage.allow(await stage.ask(id));
    await stage.turns(id, 1);
    const seen = readFileSync(join(stage.folder, "seen"), "utf8");
    expect(seen).toContain("/dev/signalbox-hooks:\nhook.sock\n");
    expect(seen.split("hook").length - 1).toBe(2);
  });

  test("[PT10] [PT11] chat, terminal and chat again are one history, and nothing is there twice", async () => {
    await using stage = await EngineStage.open();
    stage.acceptFirstRun();
    const { id } = await stage.create({ prompt: { text: "::say chat 1" } });
    let turn = 0;
    const say = async (...texts: string[]) => {
      for (const text of texts) {
        await stage.send(id, `::say ${text}`);
        await stage.turns(id, ++turn);
      }
    };
    await stage.turns(id, ++turn);
    await say("chat 2", "chat 3");
    await stage.engine.switches.request(id, { to: "terminal" }, person);
    expect(stage.engine.sessions.get(id)).toMatchObject({ driver: "pty" });
    await say("terminal 1", "terminal 2");
    using screen = new SeenScreen(stage, id);
    await screen.shows("chat 3");
    screen.type("::say typed by a person");
    await screen.shows("::say typed by a person");
    screen.type("\r");
    await stage.turns(id, ++turn);
    expect(stage.agents().length).toBe(1);
    await stage.engine.switches.request(id, { to: "chat" }, person);
    await say("chat 4", "chat 5", "chat 6");
    expect(stage.engine.terminals.list()).toEqual([]);
    const said = ["chat 1", "chat 2", "chat 3", "terminal 1", "terminal 2", "typed by a person"];
    const all = [...said, "chat 4", "chat 5", "chat 6"];
    expect(await outline(stage, id)).toEqual(
      all.flatMap((text) => [`> ${JSON.stringify(`::say ${text}`)}`, text]),
    );
    const entries = await stage.store.audit(0, 200);
    expect(entries.filter(({ what }) => what === "driver-changed").length).toBe(2);
  });

  test("[PT10] a running turn is waited for or interrupted, as the person says", async () => {
    await using stage = await EngineStage.open();
    stage.acceptFirstRun();
    const { id } = await stage.create({ prompt: { text: bash("touch waited-for") } });
    const ask = await stage.ask(id);
    const refused = stage.engine.switches.request(id, { to: "terminal" }, person);
    expect(await refused.catch((failure: unknown) => failure)).toMatchObject({
      code: "turn-running",
    });
    await stage.engine.switches.request(id, { to: "terminal", running: "wait" }, person);
    expect(stage.engine.sessions.get(id)).toMatchObject({ driver: "stdio", switchingTo: "pty" });
    await stage.allow(ask);
    await stage.until(() => stage.engine.sessions.get(id).driver === "pty");
    expect(stage.has("waited-for")).toBe(true);
    await stage.turns(id, 1);
    await stage.send(id, bash("touch interrupted"));
    await stage.ask(id);
    await stage.engine.switches.request(id, { to: "chat", running: "interrupt" }, person);
    await stage.until(() => stage.engine.sessions.get(id).driver === "stdio");
    await stage.send(id, "::say back in chat");
    await stage.until(() => stage.engine.sessions.get(id).summary.lastText === "back in chat");
    expect(stage.has("interrupted")).toBe(false);
    expect(stage.engine.sessions.get(id).switchingTo).toBeUndefined();
  });

  test("[PT15] what an untrusted folder brings does not run in the terminal", async () => {
    await using stage = await EngineStage.open();
    stage.acceptFirstRun();
    const canary = join(stage.folder, "canary");
    const hook = [{ hooks: [{ type: "command", command: `touch ${canary}` }] }];
    mkdirSync(join(stage.folder, ".claude"));
    writeFileSync(
      join(stage.folder, ".claude/settings.json"),
      JSON.stringify({
        hooks: { SessionStart: hook, UserPromptSubmit: hook, Stop: hook },
        permissions: { allow: ["Bash"] },
      }),
    );
    const { id } = await stage.create({ driver: "pty", prompt: { text: bash("touch asked-for") } });
    await stage.allow(await stage.ask(id));
    await stage.turns(id, 1);
    expect(stage.engine.sessions.get(id).run?.trust?.state).toBe("off");
    expect([stage.has("canary"), stage.has("asked-for")]).toEqual([false, true]);
  });

  test("[PT16] under the policy autonomous nobody is asked, and under supervised everybody", async () => {
    await using stage = await EngineStage.open();
    stage.acceptFirstRun();
    const driver = "pty";
    const free = await stage.create({
      driver,
      policy: "autonomous",
      confirmed: true,
      prompt: { text: bash("touch not-asked") },
    });
    await stage.turns(free.id, 1);
    expect(stage.has("not-asked")).toBe(true);
    const strict = await stage.create({
      driver,
      policy: "supervised",
      prompt: { text: bash("echo even-this") },
    });
    const ask = await stage.ask(strict.id);
    expect(ask.reason).toContain("supervised");
    await stage.allow(ask);
    await stage.turns(strict.id, 1);
  });
});
