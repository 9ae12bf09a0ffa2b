import { afterAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArguments } from "../../src/command-line/parse-arguments.ts";
import { parseOptions } from "../../src/command-line/parse-options.ts";
import { openSession, type Session, SessionError } from "../../src/sessions/open-session.ts";
import { readTranscript } from "../../src/sessions/read-transcript.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-sessions-")));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let folders = 0;
function newFolder(): string {
  return mkdtempSync(join(place, `work.${++folders}_`));
}

const environment: Record<string, string> = {
  HOME: place,
  CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true",
};
const open = (folder: string, ...argv: string[]): Promise<Session> => {
  const options = parseOptions(parseArguments(["-p", ...argv]), false);
  return openSession(options, { environment, folder, entrypoint: "sdk-cli" });
};

const ids = ["a", "b", "c", "d"].map((letter) => letter.repeat(8) + "-1111-4111-8111-111111111111");
const user = (uuid: string, content: string) =>
  ({ type: "user", uuid, message: { role: "user", content } }) as const;

/** Writes and closes a session of two prompts. */
async function written(folder: string): Promise<Session> {
  const session = await open(folder);
  session.transcript.add(user(ids[0] ?? "", "one"));
  session.transcript.add({
    type: "assistant",
    uuid: ids[1] ?? "",
    message: { role: "assistant", content: [{ type: "text", text: "first" }] },
  });
  session.transcript.add(user(ids[2] ?? "", "two"));
  session.transcript.close();
  return session;
}
/** Returns the conversation without the text that closes an unanswered turn. */
const said = ({ conversation }: Session) =>
  conversation.filter(({ message }) => message?.["model"] !== "<synthetic>");
const getUuids = (session: Session) => said(session).map(({ uuid }) => uuid);

describe("sessions on disk", () => {
  test("[AG32] a transcript is stored where Claude Code looks for it, line by line", async () => {
    const folder = newFolder();
    const { id, transcript } = await written(folder);
    const slug = folder.replaceAll(/[^a-zA-Z0-9]/g, "-");
    expect(transcript.path).toBe(join(place, ".claude/projects", slug, `${id}.jsonl`));
    const lines = readFileSync(transcript.path, "utf8").trim().split("\n");
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      type: "user",
      parentUuid: null,
      isSidechain: false,
      cwd: folder,
      sessionId: id,
      gitBranch: "HEAD",
    });
    expect(second).toMatchObject({ type: "assistant", parentUuid: ids[0], entrypoint: "sdk-cli" });
    expect(second?.["timestamp"]).toBeString();
  });

  test("[AG33] an incomplete last line is skipped, and the next one starts on a new line", async () => {
    const folder = newFolder();
    const { id, transcript } = await written(folder);
    appendFileSync(transcript.path, '{"type":"user","uuid":"torn","mess');
    const session = await open(folder, "--resume", id);
    expect(getUuids(session)).toEqual(ids.slice(0, 3));
    session.transcript.add(user(ids[3] ?? "", "three"));
    session.transcript.close();
    expect(getUuids(await open(folder, "--resume", id))).toEqual(ids);
  });

  test("[AG33] the conversation is the newest branch of the tree, without subagents and unknown lines", () => {
    const row = (uuid: string, parentUuid: string | null, more: object = {}) =>
      JSON.stringify({ ...user(uuid, uuid), parentUuid, ...more });
    const text = [
      row("root", null),
      row("old branch", "root"),
      row("new branch", "root"),
      row("aside", "new branch", { isSidechain: true }),
      JSON.stringify({ type: "api-request-blob", message: {} }),
      "garbage",
    ].join("\n");
    expect(readTranscript(text).conversation.map(({ uuid }) => uuid)).toEqual([
      "root",
      "new branch",
    ]);
  });

  test("[AG33] messages kept by a compaction follow its summary, and the next line follows the last of them", async () => {
    const folder = newFolder();
    const session = await open(folder);
    const [first = "", kept = "", summary = "", last = ""] = ids;
    session.transcript.add(user(first, "one"));
    session.transcript.add(user(kept, "kept"));
    const preserved_messages = { anchor_uuid: summary, uuids: [kept], all_uuids: [kept] };
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "boundary" } as const;
    session.transcript.add({ ...boundary, compact_metadata: { preserved_messages } });
    session.transcript.add(user(summary, "summary"));
    session.transcript.close();
    expect(readFileSync(session.transcript.path, "utf8")).toContain(
      // This is the spelling of Claude Code.
      `"compactMetadata":{"preservedMessages":{"anchorUuid":"${summary}"`,
    );
    const again = await open(folder, "--resume", session.id);
    expect(getUuids(again)).toEqual(["boundary", summary, kept]);
    again.transcript.add(user(last, "two"));
    again.transcript.close();
    expect(getUuids(await open(folder, "--resume", session.id, "--fork-session"))).toEqual([
      "boundary",
      summary,
      kept,
      last,
    ]);
  });

  test("[AG34] --continue resumes the newest session of the folder, --resume any by its id", async () => {
    const folder = newFolder();
    const [older, newer] = [await written(folder), await written(folder)];
    utimesSync(older.transcript.path, 1, 1);
    expect((await open(folder, "--continue")).id).toBe(newer.id);
    expect((await open(newFolder(), "--resume", older.id)).id).toBe(older.id);
    expect((await open(newFolder(), "--continue")).isResumed).toBe(false);
    const missing = "99999999-1111-4111-8111-111111111111";
    const said = `No conversation found with session ID: ${missing}`;
    expect(open(folder, "--resume", missing)).rejects.toThrow(said);
    writeFileSync(older.transcript.path, "");
    expect(open(folder, "--resume", older.id)).rejects.toThrow("No conversation found");
    expect(open(folder, "--resume", "nonsense")).rejects.toThrow("not a UUID");
  });

  test("[AG34] a session with this name comes before the newest one; an unreachable hub is named in the error", async () => {
    const folder = newFolder();
    const { id } = await written(folder);
    await written(folder);
    expect((await open(folder, "--continue", "--resume", id)).id).toBe(id);
    const SIGNALBOX_URL = "http://127.0.0.1:9";
    Object.assign(environment, { SIGNALBOX_URL, SIGNALBOX_TOKEN: "t" });
    const failure = await open(folder, "--teleport", id).catch((cause: unknown) => cause);
    delete environment["SIGNALBOX_URL"];
    delete environment["SIGNALBOX_TOKEN"];
    expect(String(failure)).toContain(`The hub at ${SIGNALBOX_URL} cannot be reached. Start it`);
  });

  test("[AG34] a session resumed in another folder continues in its own file", async () => {
    const folder = newFolder();
    const { id, transcript } = await written(folder);
    const elsewhere = await open(newFolder(), "--resume", id);
    expect(elsewhere.transcript.path).toBe(transcript.path);
    elsewhere.transcript.add(user(ids[3] ?? "", "three"));
    elsewhere.transcript.close();
    expect(getUuids(await open(folder, "--resume", id))).toEqual(ids);
  });

  test("[AG34] --resume accepts a file or an address, and the conversation gets an id of its own", async () => {
    const folder = newFolder();
    const { id, transcript } = await written(folder);
    const copy = join(folder, "copy.jsonl");
    writeFileSync(copy, readFileSync(transcript.path));
    const fromFile = await open(folder, "--resume", copy);
    expect(getUuids(fromFile)).toEqual(ids.slice(0, 3));
    expect(fromFile.id).not.toBe(id);
    const headers: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      headers.push(request.headers.authorization);
      response.end(readFileSync(copy));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    environment["CLAUDE_CODE_SESSION_ACCESS_TOKEN"] = "secret";
    const { port } = server.address() as AddressInfo;
    const fetched = await open(folder, "--resume", `http://127.0.0.1:${port}/log`);
    delete environment["CLAUDE_CODE_SESSION_ACCESS_TOKEN"];
    server.close();
    expect(getUuids(fetched)).toEqual(ids.slice(0, 3));
    expect(headers).toEqual(["Bearer secret"]);
  });

  test("[AG34] a file without a conversation, or a file address, is refused", async () => {
    const folder = newFolder();
    const texts = { garbage: "garbage\n\u0000", empty: "", other: '{"type":"summary"}\n' };
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder, `${name}.jsonl`), text);
    }
    const files = [...Object.keys(texts), "missing"].map((name) => join(folder, `${name}.jsonl`));
    for (const resume of [...files, "file:///etc/passwd", `file://${files[0]}`]) {
      const failure = await open(folder, "--resume", resume).catch((cause: unknown) => cause);
      expect(failure).toBeInstanceOf(SessionError);
      expect(String(failure)).toContain("No conversation found with session ID: ");
    }
  });

  test("[AG34] an address without a conversation is refused, and the error contains none of its secrets", async () => {
    const server = createServer((_, response) => response.end("<html>Sign in</html>"));
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/log`;
    const failure = await open(newFolder(), "--resume", `${address}?key=k`).catch(String);
    server.close();
    expect(failure).toEndWith(`No conversation found at ${address}`);
  });

  test("[AG35] a fork has its own id and file, and a cut ends after the named message", async () => {
    const folder = newFolder();
    const { id, transcript } = await written(folder);
    const before = readFileSync(transcript.path, "utf8");
    const wanted = "77777777-1111-4111-8111-111111111111";
    const fork = await open(folder, "--resume", id, "--fork-session", "--session-id", wanted);
    fork.transcript.close();
    expect(fork.id).toBe(wanted);
    expect(getUuids(await open(folder, "--resume", wanted))).toEqual(ids.slice(0, 3));
    expect(readFileSync(transcript.path, "utf8")).toBe(before);
    // Claude Code names the branch that it was on last.
    appendFileSync(transcript.path, `{"type":"last-prompt","leafUuid":"${ids[2]}"}\n`);
    const cut = await open(folder, "--resume", id, "--resume-session-at", ids[1] ?? "");
    expect(getUuids(cut)).toEqual(ids.slice(0, 2));
    cut.transcript.add(user(ids[3] ?? "", "instead"));
    cut.transcript.close();
    expect(getUuids(await open(folder, "--resume", id))).toEqual([ids[0], ids[1], ids[3]]);
    expect(open(folder, "--resume", id, "--resume-session-at", "nope")).rejects.toThrow("nope");
  });

  test("[AG35] a cut after a call adds a result that says its outcome is unknown", async () => {
    const folder = newFolder();
    const session = await written(folder);
    const call = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    const message = { id: "m1", role: "assistant", content: [call] };
    session.transcript.add({ type: "assistant", uuid: ids[3] ?? "", message });
    const result = { type: "tool_result", tool_use_id: "t1", content: "x" };
    session.transcript.add({ type: "user", message: { role: "user", content: [result] } });
    session.transcript.close();
    const cut = await open(folder, "--resume", session.id, "--resume-session-at", ids[3] ?? "");
    expect(cut.conversation.slice(-2)).toMatchObject([
      { uuid: ids[3] },
      { message: { content: [{ type: "tool_result", tool_use_id: "t1", is_error: true }] } },
    ]);
    cut.transcript.add(user(crypto.randomUUID(), "three"));
    cut.transcript.close();
    const later = await open(folder, "--resume", session.id);
    const texts = later.conversation.map(({ message: words }) => words?.content);
    expect(texts.slice(4)).toMatchObject([[result], "three", [{ type: "text" }]]);
    later.transcript.close();
  });

  test("[AG35] an id in use starts no second conversation in the same file", async () => {
    const folder = newFolder();
    const taken = "77777777-1111-4111-8111-111111111111";
    const first = await open(folder, "--session-id", taken);
    first.transcript.add(user(ids[0] ?? "", "one"));
    first.transcript.close();
    const other = await open(folder);
    other.transcript.add(user(ids[1] ?? "", "another"));
    other.transcript.close();
    const sentence = `Error: Session ID ${taken} is already in use.`;
    const again = ["--session-id", taken];
    const fork = ["--resume", other.id, "--fork-session", ...again];
    for (const argv of [again, [...again, "--no-session-persistence"], fork]) {
      expect(open(folder, ...argv)).rejects.toThrow(sentence);
    }
    const itself = await open(folder, "--resume", taken, "--fork-session", ...again);
    expect(said(itself)).toHaveLength(1);
    expect(readFileSync(itself.transcript.path, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("[AG55] the cost of a session is restored when it is resumed or forked", async () => {
    const folder = newFolder();
    const first = await written(folder);
    first.storeCosts({ totalCostUSD: 1 });
    first.storeCosts({ totalCostUSD: 2 });
    first.transcript.close();
    for (const more of [[], ["--fork-session"]]) {
      const later = await open(folder, "--resume", first.id, ...more);
      expect(later.costs).toMatchObject({ totalCostUSD: 2 });
      later.transcript.close();
    }
  });

  test("[AG36] --no-session-persistence leaves no files", async () => {
    const folder = newFolder();
    const session = await open(folder, "--no-session-persistence");
    session.transcript.add(user(ids[0] ?? "", "one"));
    expect(existsSync(session.transcript.path)).toBe(false);
  });

  test("[AG37] files return to their state at a prompt, also after a resume", async () => {
    const folder = newFolder();
    const path = join(folder, "kept.txt");
    writeFileSync(path, "a\nb\n");
    const session = await open(folder);
    session.transcript.add(user(ids[0] ?? "", "one"));
    await session.checkpoints.begin(ids[0] ?? "");
    await session.checkpoints.beforeEdit(path);
    writeFileSync(path, "a\nB\nc\n");
    await session.checkpoints.beforeEdit(join(folder, "new.txt"));
    writeFileSync(join(folder, "new.txt"), "new\n");
    session.transcript.add(user(ids[2] ?? "", "two"));
    await session.checkpoints.begin(ids[2] ?? "");
    await session.checkpoints.beforeEdit(path);
    writeFileSync(path, "later\n");
    session.transcript.close();

    const { checkpoints } = await open(folder, "--resume", session.id);
    const dry = await checkpoints.rewind(ids[0] ?? "", true);
    expect(dry).toMatchObject({ canRewind: true, insertions: 2, deletions: 2 });
    expect(dry.filesChanged).toHaveLength(2);
    expect(readFileSync(path, "utf8")).toBe("later\n");
    await checkpoints.rewind(ids[2] ?? "", false);
    expect(readFileSync(path, "utf8")).toBe("a\nB\nc\n");
    await checkpoints.rewind(ids[0] ?? "", false);
    expect(readFileSync(path, "utf8")).toBe("a\nb\n");
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
    expect(await checkpoints.rewind("nope", true)).toMatchObject({ canRewind: false });

    writeFileSync(path, "of the fork\n");
    const fork = await open(folder, "--resume", session.id, "--fork-session");
    await fork.checkpoints.rewind(ids[0] ?? "", false);
    expect(readFileSync(path, "utf8")).toBe("a\nb\n");
  });

  test("[AG37] a missing copy deletes no file, links are not followed, and a transcript elsewhere finds its copies", async () => {
    const folder = newFolder();
    const [kept, gone, moved] = ["kept.txt", "gone.txt", "moved/m.txt"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    mkdirSync(join(folder, "moved"));
    for (const path of [kept, gone, moved]) writeFileSync(path, "before\n");
    const session = await open(folder);
    const prompt = ids[0] ?? "";
    session.transcript.add(user(prompt, "one"));
    await session.checkpoints.begin(prompt);
    for (const path of [kept, gone, moved]) {
      await session.checkpoints.beforeEdit(path);
      writeFileSync(path, "after\n");
    }
    session.transcript.close();
    const elsewhere = join(newFolder(), "copy.jsonl");
    copyFileSync(session.transcript.path, elsewhere);

    const fromFile = await open(folder, "--resume", elsewhere);
    await fromFile.checkpoints.rewind(prompt, false);
    expect(readFileSync(gone, "utf8")).toBe("before\n");

    for (const path of [kept, gone, moved]) writeFileSync(path, "after\n");
    const copies = join(
      dirname(dirname(dirname(session.transcript.path))),
      "file-history",
      session.id,
    );
    const outside = newFolder();
    writeFileSync(join(outside, "m.txt"), "precious\n");
    rmSync(dirname(moved), { recursive: true });
    symlinkSync(outside, dirname(moved));
    rmSync(kept);
    symlinkSync(join(outside, "m.txt"), kept);
    rmSync(copies, { recursive: true });
    const { checkpoints } = await open(folder, "--resume", session.id);
    expect(await checkpoints.rewind(prompt, false)).toEqual({
      canRewind: false,
      error:
        "Failed to rewind: No files were restored: 1 file failed (backup missing, or the file could not be updated), and 2 paths were skipped for link safety",
    });
    expect(readFileSync(gone, "utf8")).toBe("after\n");
    expect(readFileSync(join(outside, "m.txt"), "utf8")).toBe("precious\n");
  });

  test("[AG37] sessions of Claude Code, which writes a line for each changed file, can be rewound too", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "new.txt"), "made later\n");
    const session = await open(folder);
    const prompt = ids[0] ?? "";
    session.transcript.add(user(prompt, "one"));
    const snapshot = { messageId: prompt, trackedFileBackups: {}, timestamp: "" };
    session.transcript.write({ type: "file-history-snapshot", messageId: prompt, snapshot });
    session.transcript.write({
      type: "file-history-delta",
      snapshotMessageId: prompt,
      trackingPath: "new.txt",
      backup: { backupFileName: null, version: 1, backupTime: "" },
    });
    session.transcript.close();
    const { checkpoints } = await open(folder, "--resume", session.id);
    expect(await checkpoints.rewind(prompt, false)).toMatchObject({ canRewind: true });
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
  });

  test("[AG42] --teleport creates a session from a hub's lines", async () => {
    const folder = newFolder();
    const session = "66666666-1111-4111-8111-111111111111";
    const say = (from: string, body: object) => ({ from, text: JSON.stringify(body) });
    const lines = [
      say("host", { ...user(ids[0] ?? "", "one"), session_id: "" }),
      say("agent", { ...user(ids[0] ?? "", "one"), isReplay: true, session_id: session }),
      say("agent", { type: "system", subtype: "init", uuid: "i", session_id: session }),
      say("agent", {
        type: "assistant",
        uuid: ids[1],
        session_id: session,
        parent_tool_use_id: null,
        message: { role: "assistant", content: [{ type: "text", text: "first" }] },
      }),
      say("keeper", { type: "note" }),
    ].map((line, at) => ({ ...line, pos: at + 1 }));
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after"));
      const page = lines.slice(after, after + 2);
      response.end(JSON.stringify({ lines: page, more: after + 2 < lines.length }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    Object.assign(environment, { SIGNALBOX_URL: `http://127.0.0.1:${port}`, SIGNALBOX_TOKEN: "t" });
    const fetched = await open(folder, "--teleport", "the-session");
    const again = await open(folder, "--teleport", "the-session");
    server.close();
    expect(asked[0]).toBe("Bearer t /api/sessions/the-session/lines?after=0&limit=1000");
    expect(fetched.id).toBe(session);
    expect(getUuids(fetched)).toEqual(ids.slice(0, 2));
    fetched.transcript.close();
    expect(getUuids(await open(folder, "--resume", session))).toEqual(ids.slice(0, 2));
    again.transcript.close();
    // That session is on this machine and may continue by itself, so it stays unchanged.
    expect(again.id).not.toBe(session);
    expect(getUuids(await open(folder, "--resume", again.id))).toEqual(ids.slice(0, 2));
    const rows = readFileSync(fetched.transcript.path, "utf8").trim().split("\n");
    const uuids = rows.map((row) => (JSON.parse(row) as { uuid?: string }).uuid);
    expect(uuids.filter((uuid) => ids.includes(uuid ?? ""))).toEqual(ids.slice(0, 2));
  });
});
