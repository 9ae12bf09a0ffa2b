import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "@signalbox/hub/engine";
import { until } from "@signalbox/testing/until";
import { person, Rig } from "../session/rig.ts";

setDefaultTimeout(180_000);

const bash = (command: string) => `::tool Bash ${JSON.stringify({ command, description: "x" })}`;
const settings = (rig: Rig, content: object, name = "settings.json") => {
  mkdirSync(join(rig.folder, ".claude"), { recursive: true });
  writeFileSync(join(rig.folder, ".claude", name), JSON.stringify(content));
};
const promptHook = (command: string) => ({
  hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] },
});

/** Lets a turn come to its end, and allows whatever it asks. */
async function allowedTurn(rig: Rig, session: string, text: string): Promise<void> {
  const { turns } = rig.engine.sessions.get(session).summary;
  await rig.send(session, text);
  await until("the turn is over", async () => {
    for (const ask of rig.engine.asks.list()) await rig.allow(ask).catch(() => {});
    const { summary, queue } = rig.engine.sessions.get(session);
    return summary.turns > turns && summary.status === "idle" && queue.length === 0;
  });
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  const failure: unknown = await call.catch((why: unknown) => why);
  return failure instanceof Refusal ? failure.code : "none";
}

test("[TS7] a hook that the agent writes into the folder's settings does not count in that run, and the next one starts without it", async () => {
  await using rig = await Rig.open();
  const { id } = await rig.create();
  await allowedTurn(rig, id, "::say hi");
  expect(rig.engine.sessions.get(id).trust).toBeUndefined(); // there was nothing to ask
  const hook = JSON.stringify(promptHook(`touch ${join(rig.folder, "canary")}`));
  const write = `mkdir -p .claude && cat > .claude/settings.json <<'END'\n${hook}\nEND`;
  await allowedTurn(rig, id, `${bash(write)}\n::say written`);
  await until(
    "the change was noticed",
    () => rig.engine.sessions.get(id).trust?.state === "changed",
  );
  await allowedTurn(rig, id, "::say and now");
  expect(rig.has("canary")).toBe(false);
  const remarks = (await rig.items(id)).flatMap((item) =>
    item.kind === "notice" ? [item.text] : [],
  );
  expect(remarks.some((text) => text.includes("is not trusted"))).toBe(true);
  const audit = await rig.store.audit(0, 1000);
  expect(audit.map(({ what }) => what)).toContain("folder-changed");

  await rig.engine.sessions.stop(id, person);
  await allowedTurn(rig, id, "::say in another run");
  expect(rig.has("canary")).toBe(false);
  expect(rig.engine.sessions.get(id).trust?.state).toBe("off");
});

test("[TS7] a script that a trusted hook names is not run as the agent has changed it: the agent is stopped, and the next run asks", async () => {
  await using rig = await Rig.open();
  const { engine, folder } = rig;
  writeFileSync(join(folder, "check.sh"), "#!/bin/sh\ntouch fired\n", { mode: 0o755 });
  const command = `${folder}/check.sh`;
  settings(rig, {
    hooks: { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] },
  });
  const { runner, hash } = await engine.trust.inspectFolder(undefined, folder, person);
  await engine.trust.grant({ runner, folder, hash }, person);
  const { id } = await rig.create({ policy: "accept-edits" });
  const read = `::tool Read ${JSON.stringify({ file_path: join(folder, "check.sh") })}`;
  await allowedTurn(rig, id, `${read}\n::say read`);
  expect(rig.has("fired")).toBe(true); // it is trusted
  const content = `#!/bin/sh\ntouch ${join(folder, "canary")}\n`;
  const write = { file_path: join(folder, "check.sh"), content };
  await rig.send(id, `::tool Write ${JSON.stringify(write)}\n::next\n${read}\n::say over`);
  const isStopped = () => engine.sessions.get(id).state === "parked";
  await until("the agent was stopped, or has run it", () => isStopped() || rig.has("canary"));
  expect(rig.has("canary")).toBe(false);
  await allowedTurn(rig, id, `${read}\n::say in another run`);
  expect(rig.has("canary")).toBe(false);
  expect(engine.sessions.get(id).trust?.state).toBe("changed");
});

test("[TS8] without trust the text of CLAUDE.md still reaches the model, and nothing of what lies outside the repository does", async () => {
  await using rig = await Rig.open();
  settings(rig, promptHook("true"));
  writeFileSync(join(rig.place, "outside.md"), "TEXT-FROM-OUTSIDE");
  writeFileSync(
    join(rig.folder, "CLAUDE.md"),
    "TEXT-OF-THE-PROJECT\n@../outside.md\n@/etc/hostname\n",
  );
  symlinkSync(join(rig.place, "outside.md"), join(rig.folder, "CLAUDE.local.md"));
  const { id } = await rig.create();
  await allowedTurn(rig, id, "::say hi");
  const requests = rig.requests.join("\n");
  expect(requests).toContain("TEXT-OF-THE-PROJECT");
  expect(requests).not.toContain("TEXT-FROM-OUTSIDE");
  expect(requests).not.toContain(readFileSync("/etc/hostname", "utf8").trim().concat('"'));
});

test("[TS8] a CLAUDE.md that leads out of the repository is not read before the folder is trusted, although the folder runs nothing", async () => {
  await using rig = await Rig.open();
  const { engine, folder } = rig;
  writeFileSync(join(rig.place, "outside.md"), "TEXT-FROM-OUTSIDE");
  symlinkSync(join(rig.place, "outside.md"), join(folder, "CLAUDE.md"));
  const { id } = await rig.create();
  await allowedTurn(rig, id, "::say hi");
  expect(rig.requests.join("\n")).not.toContain("TEXT-FROM-OUTSIDE");
  const { hash, runner } = await engine.trust.inspectSession(id);
  await engine.trust.grant({ runner, folder, hash }, person);
  await engine.sessions.stop(id, person);
  await allowedTurn(rig, id, "::say and now");
  expect(rig.requests.join("\n")).toContain("TEXT-FROM-OUTSIDE"); // a person said so
});

test("[TS9] trust is about what was shown: a folder that has changed since, or that cannot be read, is not trusted", async () => {
  await using rig = await Rig.open();
  const { engine, folder } = rig;
  settings(rig, promptHook("true"));
  const { runner, hash, state } = await engine.trust.inspectFolder(undefined, folder, person);
  expect(state).toBe("off");
  settings(rig, promptHook("touch canary"));
  expect(await refusalOf(engine.trust.grant({ runner, folder, hash }, person))).toBe(
    "folder-changed",
  );
  writeFileSync(join(folder, ".mcp.json"), "{");
  const broken = await engine.trust.inspectFolder(undefined, folder, person);
  expect(await refusalOf(engine.trust.grant({ runner, folder, hash: broken.hash }, person))).toBe(
    "unreadable",
  );
  expect(engine.trust.listDecisions()).toEqual([]);
});

test("[TS10] decisions are kept with who and when, outlive the hub, and are in the audit log with what would run", async () => {
  await using rig = await Rig.open();
  const { folder } = rig;
  settings(rig, promptHook("true"));
  const { hash, runner } = await rig.engine.trust.inspectFolder(undefined, folder, person);
  await rig.engine.trust.grant({ runner, folder, hash }, person);
  await rig.loseHub();
  await rig.startHub();
  await until("the runner is back", () => rig.hasRunner);
  const { engine } = rig;
  expect(engine.trust.listDecisions()).toMatchObject([
    { runner, folder, decision: "trusted", hash, by: person.name },
  ]);
  expect((await engine.trust.inspectFolder(undefined, folder, person)).state).toBe("trusted");
  await engine.trust.revoke({ folder }, person);
  expect((await engine.trust.inspectFolder(undefined, folder, person)).state).toBe("kept-off");
  settings(rig, promptHook("false"));
  expect((await engine.trust.inspectFolder(undefined, folder, person)).state).toBe("off"); // asked again
  const entries = (await rig.store.audit(0, 1000)).filter(({ what }) => what.startsWith("trust-"));
  expect(entries.map(({ what, by }) => [what, by])).toEqual([
    ["trust-granted", person.name],
    ["trust-revoked", person.name],
  ]);
  expect(entries[0]?.facts).toMatchObject({ folder, hash, byDevice: person.device });
  expect(JSON.stringify(entries[0]?.facts["findings"])).toContain("UserPromptSubmit: true");
});

test("[TS11] a session says how its folder stands: off, kept off, trusted from the next run on, trusted, revoked", async () => {
  await using rig = await Rig.open();
  const { engine, folder } = rig;
  const canary = join(rig.place, "canary");
  settings(rig, promptHook(`touch ${canary}`));
  const { id } = await rig.create();
  const state = () => engine.sessions.get(id).trust?.state;
  await allowedTurn(rig, id, "::say one");
  expect(state()).toBe("off");
  await engine.trust.revoke({ folder }, person);
  expect(state()).toBe("kept-off");
  const { hash, runner } = await engine.trust.inspectSession(id);
  await engine.trust.grant({ runner, folder, hash }, person);
  expect(state()).toBe("restart");
  await engine.sessions.stop(id, person);
  await allowedTurn(rig, id, "::say two");
  expect(state()).toBe("trusted");
  await engine.trust.revoke({ folder }, person);
  expect(state()).toBe("ends");
  await engine.sessions.stop(id, person);
  await allowedTurn(rig, id, "::say three");
  expect(state()).toBe("kept-off");
});

test("[TS12] a rule that a person allows for good, into the folder's settings, is trusted by that word", async () => {
  await using rig = await Rig.open();
  const { engine } = rig;
  const { id } = await rig.create();
  await rig.send(id, `${bash("touch made.txt")}\n::say done`);
  const ask = await rig.ask(id);
  const suggested = ask.suggestions.map((one) => (one as { destination?: string }).destination);
  const place = suggested.findIndex((to) => to === "localSettings" || to === "projectSettings");
  const decision = { behavior: "allow" as const, remember: [place] };
  await engine.asks.answer(ask.id, { hash: ask.hash, decision }, person);
  await rig.turns(id, 1);
  await engine.sessions.stop(id, person);
  expect((await engine.trust.inspectSession(id)).findings.map(({ kind }) => kind)).toContain(
    "permission",
  );
  await allowedTurn(rig, id, "::say again");
  expect(engine.sessions.get(id).trust?.state).toBe("trusted");
});
