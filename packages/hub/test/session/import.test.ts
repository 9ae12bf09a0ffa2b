import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getProjectName } from "@signalbox/host/transcripts";
import { EngineStage, person } from "@signalbox/testing/engine-stage";
import { refusal } from "./bench.ts";

setDefaultTimeout(180_000);

test("[IM15] [IM16] [IM17] [IM18] [IM19] a session that was begun by plain `claude -p` is listed, opened, continued here and again outside, with one history each time", async () => {
  await using stage = await EngineStage.open();
  const { engine } = stage;
  const id = await stage.runOutside(
    '::tool Bash {"command":"touch made.txt"}\n::say Begun outside.',
    ["--allowed-tools", "Bash"],
  );
  await stage.until(() => engine.sessions.list().length === 1);
  const view = () => engine.sessions.get(id);
  const facts = { id, folder: stage.folder, state: "parked", transcript: { isImported: true } };
  expect(view()).toMatchObject(facts);
  expect(await stage.texts(id)).toEqual(["Begun outside."]);
  expect((await stage.items(id)).map(({ kind }) => kind)).toContain("tool");
  await stage.until(() => view().transcript?.isCopied === true);

  // Claude Code was at work a moment ago, so that the session is first only read.
  const isRefused = async () => (await refusal(stage.send(id, "::say Too early."))).code;
  if (view().transcript?.isWrittenElsewhere) expect(await isRefused()).toBe("written-elsewhere");
  await stage.until(() => view().transcript?.isWrittenElsewhere === false);
  await stage.send(id, "::say Continued here.");
  await stage.turns(id, 2);
  expect(stage.requests.at(-1)?.includes("Begun outside.")).toBe(true);
  expect(await stage.texts(id)).toEqual(["Begun outside.", "Continued here."]);
  // Whoever writes a transcript names its folder: an approver who continues it does not allow that to drivers.
  const [allowed] = engine.folders.listAllowed();
  expect(allowed?.fromSessions).toEqual([]);
  await engine.sessions.stop(id, person);

  expect(await stage.runOutside("::say Outside again.", ["--resume", id])).toBe(id);
  await stage.until(() => view().summary.turns === 3);
  expect(await stage.texts(id)).toEqual(["Begun outside.", "Continued here.", "Outside again."]);
  expect(engine.sessions.list()).toHaveLength(1);
});

test("[IM18] [IM20] a session that was made here is continued outside, is no second session, and does not come back when it is deleted", async () => {
  await using stage = await EngineStage.open();
  const { engine } = stage;
  const { id } = await stage.create({ prompt: { text: "::say Made here." } });
  await stage.turns(id, 1);
  await engine.sessions.stop(id, person);
  const [row] = await stage.store.sessions();
  const conversation = row?.conversation ?? "";
  expect(await stage.runOutside("::say Outside.", ["--resume", conversation])).toBe(conversation);
  await stage.until(() => engine.sessions.get(id).summary.turns === 2);
  expect(await stage.texts(id)).toEqual(["Made here.", "Outside."]);
  expect(engine.sessions.list().map((each) => each.id)).toEqual([id]);

  await engine.sessions.delete(id, person);
  const other = await stage.runOutside("::say Another one.");
  await stage.until(() => engine.sessions.list().length > 0);
  expect(engine.sessions.list().map((each) => each.id)).toEqual([other]);
  await stage.loseHub();
  await stage.startHub();
  await stage.until(() => stage.hasRunner);
  const third = await stage.runOutside("::say A third one.");
  await stage.until(() => engine.sessions.list().length === 1 || stage.hasRunner);
  await stage.until(() => stage.engine.sessions.list().some((each) => each.id === third));
  expect(stage.engine.sessions.list().map((each) => each.id)).toContainAllValues([other, third]);
  expect(stage.engine.sessions.list()).toHaveLength(2);
});

/** Writes a transcript by hand. Returns the id of its session. */
function write(stage: EngineStage, nth: number, lines: readonly (object | string)[]): string {
  const id = `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;
  const path = getPath(stage, id);
  mkdirSync(dirname(path), { recursive: true });
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, `${text.join("\n")}\n`);
  utimesSync(path, new Date("2026-01-02"), new Date("2026-01-02"));
  return id;
}
function getPath(stage: EngineStage, id: string): string {
  return join(stage.home, ".claude/projects", getProjectName(stage.folder), `${id}.jsonl`);
}
function prompt(stage: EngineStage, text: string, more: object = {}) {
  const message = { role: "user", content: text };
  const uuid = crypto.randomUUID();
  const facts = { uuid, parentUuid: null, sessionId: "s", cwd: stage.folder, version: "2.1.325" };
  return { type: "user", ...facts, timestamp: "2026-01-01T00:00:00.000Z", message, ...more };
}
function answer(text: string, parent: { uuid: string }) {
  const message = { id: crypto.randomUUID(), role: "assistant", stop_reason: "end_turn" };
  const content = [{ type: "text", text }];
  const facts = { uuid: crypto.randomUUID(), parentUuid: parent.uuid, sessionId: "s" };
  const timestamp = "2026-01-01T00:00:01.000Z";
  return { type: "assistant", ...facts, timestamp, message: { ...message, content } };
}

test("[IM21] what is torn, glued, foreign, far too long, in a cycle, in the future or a link is named, and everything else is there once", async () => {
  await using stage = await EngineStage.open({ runner: false });
  const torn = prompt(stage, "torn");
  const long = prompt(stage, "x".repeat(40_000_000));
  const cycle = prompt(stage, "cycle", { uuid: "c1", parentUuid: "c1" });
  const bad = write(stage, 1, [
    torn,
    `${JSON.stringify(answer("glued 1", torn))}${JSON.stringify(answer("glued 2", torn))}`,
    JSON.stringify(prompt(stage, "half")).slice(0, 60),
    { type: "from-the-future", uuid: "f1", some: "thing" },
    long,
    cycle,
    answer("after the cycle", cycle),
    prompt(stage, "late", { timestamp: "2999-01-01T00:00:00.000Z", parentUuid: "nobody" }),
    answer("last", cycle),
  ]);
  const outside = join(stage.place, "outside.jsonl");
  writeFileSync(outside, `${JSON.stringify(prompt(stage, "secret"))}\n`);
  symlinkSync(outside, getPath(stage, "00000000-0000-4000-8000-000000000099"));
  write(stage, 2, [{ type: "summary", summary: "Nothing but a note" }]);
  const homeless = write(stage, 3, [{ ...prompt(stage, "nowhere"), cwd: undefined }]);
  await stage.startRunner();
  const { engine } = stage;
  await stage.until(() => engine.imports.getStatus().machines[0]?.state === "done");
  expect(engine.sessions.list().map(({ id }) => id)).toEqual([bad]);
  expect(await stage.texts(bad)).toEqual(["glued 1", "glued 2", "after the cycle", "last"]);
  const problems = engine.imports.getStatus().machines[0]?.problems ?? [];
  const why = (id: string) => problems.find(({ path }) => path === getPath(stage, id))?.why ?? "";
  for (const part of ["torn", "several entries", "unknown kind", "too long", "the future"]) {
    expect(why(bad)).toContain(part);
  }
  expect(why(homeless)).toContain("in which folder");
  expect(JSON.stringify(problems)).not.toContain("secret");

  // The file is replaced, then it is gone: what was read stays, once.
  const more = prompt(stage, "more", { timestamp: "2026-02-01T00:00:00.000Z" });
  rmSync(getPath(stage, bad));
  write(stage, 1, [torn, answer("glued 1", torn), more, answer("and an answer", more)]);
  await stage.until(() => engine.sessions.get(bad).summary.lastText === "and an answer");
  expect((await stage.texts(bad)).filter((text) => text === "glued 1").length).toBeLessThan(3);
  expect((await stage.texts(bad)).at(-1)).toBe("and an answer");
  appendFileSync(getPath(stage, bad), JSON.stringify(answer("torn end", more)).slice(0, 50));
  await stage.until(() => engine.sessions.get(bad).transcript?.isCopied === true);
  rmSync(getPath(stage, bad));
  const gone = () => engine.imports.getStatus().machines[0]?.state === "done";
  await stage.until(gone);
  expect((await stage.texts(bad)).at(-1)).toBe("and an answer");
});

test("[IM22] of many sessions the board has the newest, and those that somebody opened; switched off, nothing more is listed", async () => {
  await using stage = await EngineStage.open({ runner: false });
  for (let nth = 1; nth <= 40; nth++) {
    const asked = prompt(stage, `prompt ${nth}`);
    write(stage, nth, [asked, answer(`answer ${nth}`, asked)]);
  }
  await stage.startRunner();
  const { engine } = stage;
  await stage.until(() => engine.imports.getStatus().machines[0]?.copied === 40);
  expect(engine.sessions.list({ folder: stage.folder })).toHaveLength(40);
  const board: { sessions?: { id: string }[]; projects: { older?: number }[] }[] = [];
  const client = engine.clients.connect((text) => void board.push(JSON.parse(text)));
  client.watchBoard();
  await stage.until(() => board.length > 0);
  expect(board[0]?.sessions).toHaveLength(5);
  expect(board[0]?.projects).toMatchObject([{ sessions: 40, older: 35 }]);
  const hidden = engine.sessions
    .list()
    .find(({ id }) => !board[0]?.sessions?.some((shown) => shown.id === id));
  client.watch(hidden?.id ?? "");
  await stage.until(() =>
    board.some(
      ({ sessions = [] }) => sessions.length < 5 && sessions.some(({ id }) => id === hidden?.id),
    ),
  );
  client.close();

  await engine.imports.set({ on: false, folders: [] }, person);
  write(stage, 41, [prompt(stage, "unseen")]);
  await engine.imports.set({ on: true, folders: [] }, person);
  await stage.until(() => engine.sessions.list().length === 41);
});

test("[IM15] transcripts leave room for sessions that are begun here", async () => {
  await using stage = await EngineStage.open({ runner: false, maxSessions: 10 });
  for (let nth = 0; nth < 12; nth += 1) write(stage, nth, [prompt(stage, `number ${nth}`)]);
  await stage.startRunner();
  await stage.until(() => stage.engine.imports.getStatus().machines[0]?.state === "done");
  expect(stage.engine.sessions.list()).toHaveLength(9);
  expect(stage.engine.imports.getStatus().machines[0]?.problems).toHaveLength(3);
  await stage.create();
});
