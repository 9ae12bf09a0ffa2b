import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HubRefusal } from "@signalbox/hub/engine";
import { until } from "@signalbox/testing/until";
import { person, EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const bash = (command: string) => `::tool Bash ${JSON.stringify({ command, description: "x" })}`;
const settings = (stage: EngineStage, content: object, name = "settings.json") => {
  mkdirSync(join(stage.folder, ".claude"), { recursive: true });
  writeFileSync(join(stage.folder, ".claude", name), JSON.stringify(content));
};
const promptHook = (command: string) => ({
  hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] },
});

/** Lets a turn come to its end, and allows whatever it asks. */
async function allowedTurn(stage: EngineStage, session: string, text: string): Promise<void> {
  const { turns } = stage.engine.sessions.get(session).summary;
  await stage.send(session, text);
  await until("the turn is over", async () => {
    for (const ask of stage.engine.asks.list()) await stage.allow(ask).catch(() => {});
    const { summary, queue } = stage.engine.sessions.get(session);
    return summary.turns > turns && summary.status === "idle" && queue.length === 0;
  });
}

async function getRefusal(call: Promise<unknown>): Promise<string> {
  const failure: unknown = await call.catch((why: unknown) => why);
  return failure instanceof HubRefusal ? failure.code : "none";
}

test("[TS7] a hook that the agent writes into the folder's settings does not count in that run, and the next one starts without it", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create();
  await allowedTurn(stage, id, "::say hi");
  expect(stage.engine.sessions.get(id).trust).toBeUndefined(); // there was nothing to ask
  const hook = JSON.stringify(promptHook(`touch ${join(stage.folder, "canary")}`));
  const write = `mkdir -p .claude && cat > .claude/settings.json <<'END'\n${hook}\nEND`;
  await allowedTurn(stage, id, `${bash(write)}\n::say written`);
  await until(
    "the change was noticed",
    () => stage.engine.sessions.get(id).trust?.state === "changed",
  );
  await allowedTurn(stage, id, "::say and now");
  expect(stage.has("canary")).toBe(false);
  const remarks = (await stage.items(id)).flatMap((item) =>
    item.kind === "notice" ? [item.text] : [],
  );
  expect(remarks.some((text) => text.includes("is not trusted"))).toBe(true);
  const audit = await stage.store.audit(0, 1000);
  expect(audit.map(({ what }) => what)).toContain("folder-changed");

  await stage.engine.sessions.stop(id, person);
  await allowedTurn(stage, id, "::say in another run");
  expect(stage.has("canary")).toBe(false);
  expect(stage.engine.sessions.get(id).trust?.state).toBe("off");
});

test("[TS7] a script that a trusted hook names is not run as the agent has changed it: the agent is stopped, and the next run asks", async () => {
  await using stage = await EngineStage.open();
  const { engine, folder } = stage;
  writeFileSync(join(folder, "check.sh"), "#!/bin/sh\ntouch fired\n", { mode: 0o755 });
  const command = `${folder}/check.sh`;
  settings(stage, {
    hooks: { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] },
  });
  const { runner, hash } = await engine.trust.inspectFolder(undefined, folder, person);
  await engine.trust.grant({ runner, folder, hash }, person);
  const { id } = await stage.create({ policy: "accept-edits" });
  const read = `::tool Read ${JSON.stringify({ file_path: join(folder, "check.sh") })}`;
  await allowedTurn(stage, id, `${read}\n::say read`);
  expect(stage.has("fired")).toBe(true); // it is trusted
  const content = `#!/bin/sh\ntouch ${join(folder, "canary")}\n`;
  const write = { file_path: join(folder, "check.sh"), content };
  await stage.send(id, `::tool Write ${JSON.stringify(write)}\n::next\n${read}\n::say over`);
  const isStopped = () => engine.sessions.get(id).state === "parked";
  await until("the agent was stopped, or has run it", () => isStopped() || stage.has("canary"));
  expect(stage.has("canary")).toBe(false);
  await allowedTurn(stage, id, `${read}\n::say in another run`);
  expect(stage.has("canary")).toBe(false);
  expect(engine.sessions.get(id).trust?.state).toBe("changed");
});

test("[TS8] without trust the text of CLAUDE.md still reaches the model, and nothing of what lies outside the repository does", async () => {
  await using stage = await EngineStage.open();
  settings(stage, promptHook("true"));
  writeFileSync(join(stage.place, "outside.md"), "TEXT-FROM-OUTSIDE");
  writeFileSync(
    join(stage.folder, "CLAUDE.md"),
    "TEXT-OF-THE-PROJECT\n@../outside.md\n@/etc/hostname\n",
  );
  symlinkSync(join(stage.place, "outside.md"), join(stage.folder, "CLAUDE.local.md"));
  const { id } = await stage.create();
  await allowedTurn(stage, id, "::say hi");
  const requests = stage.requests.join("\n");
  expect(requests).toContain("TEXT-OF-THE-PROJECT");
  expect(requests).not.toContain("TEXT-FROM-OUTSIDE");
  expect(requests).not.toContain(readFileSync("/etc/hostname", "utf8").trim().concat('"'));
});

test("[TS8] a CLAUDE.md that leads out of the repository is not read before the folder is trusted, although the folder runs nothing", async () => {
  await using stage = await EngineStage.open();
  const { engine, folder } = stage;
  writeFileSync(join(stage.place, "outside.md"), "TEXT-FROM-OUTSIDE");
  symlinkSync(join(stage.place, "outside.md"), join(folder, "CLAUDE.md"));
  const { id } = await stage.create();
  await allowedTurn(stage, id, "::say hi");
  expect(stage.requests.join("\n")).not.toContain("TEXT-FROM-OUTSIDE");
  const { hash, runner } = await engine.trust.inspectSession(id);
  await engine.trust.grant({ runner, folder, hash }, person);
  await engine.sessions.stop(id, person);
  await allowedTurn(stage, id, "::say and now");
  expect(stage.requests.join("\n")).toContain("TEXT-FROM-OUTSIDE"); // a person said so
});

test("[TS9] trust is about what was shown: a folder that has changed since, or that cannot be read, is not trusted", async () => {
  await using stage = await EngineStage.open();
  const { engine, folder } = stage;
  settings(stage, promptHook("true"));
  const { runner, hash, state } = await engine.trust.inspectFolder(undefined, folder, person);
  expect(state).toBe("off");
  settings(stage, promptHook("touch canary"));
  expect(await getRefusal(engine.trust.grant({ runner, folder, hash }, person))).toBe(
    "folder-changed",
  );
  writeFileSync(join(folder, ".mcp.json"), "{");
  const broken = await engine.trust.inspectFolder(undefined, folder, person);
  expect(await getRefusal(engine.trust.grant({ runner, folder, hash: broken.hash }, person))).toBe(
    "unreadable",
  );
  expect(engine.trust.listDecisions()).toEqual([]);
});

test("[TS10] decisions are kept with who and when, outlive the hub, and are in the audit log with what would run", async () => {
  await using stage = await EngineStage.open();
  const { folder } = stage;
  settings(stage, promptHook("true"));
  const { hash, runner } = await stage.engine.trust.inspectFolder(undefined, folder, person);
  await stage.engine.trust.grant({ runner, folder, hash }, person);
  await stage.loseHub();
  await stage.startHub();
  await until("the runner is back", () => stage.hasRunner);
  const { engine } = stage;
  expect(engine.trust.listDecisions()).toMatchObject([
    { runner, folder, decision: "trusted", hash, by: person.name },
  ]);
  expect((await engine.trust.inspectFolder(undefined, folder, person)).state).toBe("trusted");
  await engine.trust.revoke({ folder }, person);
  expect((await engine.trust.inspectFolder(undefined, folder, person)).state).toBe("kept-off");
  settings(stage, promptHook("false"));
  expect((await engine.trust.inspectFolder(undefined, folder, person)).state).toBe("off"); // asked again
  const entries = (await stage.store.audit(0, 1000)).filter(({ what }) =>
    what.startsWith("trust-"),
  );
  expect(entries.map(({ what, by }) => [what, by])).toEqual([
    ["trust-granted", person.name],
    ["trust-revoked", person.name],
  ]);
  expect(entries[0]?.facts).toMatchObject({ folder, hash, byDevice: person.device });
  expect(JSON.stringify(entries[0]?.facts["findings"])).toContain("UserPromptSubmit: true");
});

test("[TS11] a session says how its folder stands: off, kept off, trusted from the next run on, trusted, revoked", async () => {
  await using stage = await EngineStage.open();
  const { engine, folder } = stage;
  const canary = join(stage.place, "canary");
  settings(stage, promptHook(`touch ${canary}`));
  const { id } = await stage.create();
  const state = () => engine.sessions.get(id).trust?.state;
  await allowedTurn(stage, id, "::say one");
  expect(state()).toBe("off");
  await engine.trust.revoke({ folder }, person);
  expect(state()).toBe("kept-off");
  const { hash, runner } = await engine.trust.inspectSession(id);
  await engine.trust.grant({ runner, folder, hash }, person);
  expect(state()).toBe("restart");
  await engine.sessions.stop(id, person);
  await allowedTurn(stage, id, "::say two");
  expect(state()).toBe("trusted");
  await engine.trust.revoke({ folder }, person);
  expect(state()).toBe("ends");
  await engine.sessions.stop(id, person);
  await allowedTurn(stage, id, "::say three");
  expect(state()).toBe("kept-off");
});

test("[TS12] a rule that a person allows for good, into the folder's settings, is trusted by that word", async () => {
  await using stage = await EngineStage.open();
  const { engine } = stage;
  const { id } = await stage.create();
  await stage.send(id, `${bash("touch made.txt")}\n::say done`);
  const ask = await stage.ask(id);
  const suggested = ask.suggestions.map((one) => (one as { destination?: string }).destination);
  const place = suggested.findIndex((to) => to === "localSettings" || to === "projectSettings");
  const decision = { behavior: "allow" as const, remember: [place] };
  await engine.asks.answer(ask.id, { hash: ask.hash, decision }, person);
  await stage.turns(id, 1);
  await engine.sessions.stop(id, person);
  expect((await engine.trust.inspectSession(id)).findings.map(({ kind }) => kind)).toContain(
    "permission",
  );
  await allowedTurn(stage, id, "::say again");
  expect(engine.sessions.get(id).trust?.state).toBe("trusted");
});
