import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import { connect } from "@signalbox/client";
import { createSigningKey } from "@signalbox/runner/keys";
import { pairDevice } from "@signalbox/testing/paired-device";
import { filesWith, processesWith } from "@signalbox/testing/canaries";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

/** What a shell would run, what would be an option, and what would write to a terminal or a log. */
/** As hostile as a name that a person reads may still be: line breaks and what steers a terminal are refused. */
const NAME = "-$(touch canary)`touch canary`;touch canary;{}";
const EVIL = "-$(touch canary)`touch canary`;touch canary;\n{}\u001b[2J\u202e";

let hub: HubStage;
const umask = process.umask(0);
beforeAll(async () => void (hub = await openHubStage()));
afterAll(async () => {
  process.umask(umask);
  await hub[Symbol.asyncDispose]();
});

/** What `find DATA -perm /077` finds. */
function openToOthers(): string {
  return Bun.spawnSync(["find", hub.data, "-perm", "/077"]).stdout.toString();
}

/** Everything that a device is ever given, each used once; they are looked for afterwards. */
async function collectSecrets(): Promise<void> {
  const { url, secrets } = hub;
  const { code } = await hub.admin.createPairing("approver");
  const phone = await pairDevice({ url, code, name: NAME });
  using device = connect({ url, device: phone.credential });
  const ticket = await device.ticket();
  const key = createSigningKey(); // of a terminal, in its memory alone
  const lift = await device.requestElevation({ name: NAME, publicKey: key.publicKey });
  await hub.admin.decideElevation(lift, true);
  const { token } = await hub.admin.createToken({ name: NAME, role: "viewer" });
  const made = [code, phone.secret, ticket, token, key.pkcs8];
  for (const secret of made) expect(secret.length).toBeGreaterThan(20);
  secrets.push(...made);
  const again = await pairDevice({ url, code, name: "again" }).catch(
    (failure: { status: number }) => failure,
  );
  expect(again).toMatchObject({ status: 401 });
}

/** As no client would send them: line breaks and what steers a terminal, where they get through at all. */
async function sendHostileHeaders(): Promise<void> {
  const { hostname, port, host } = new URL(hub.url);
  for (const evil of ["\u001b[2J", "\u001b]0;x\u0007", "a\n\tb", "\u009b31m", "a\rb"]) {
    const socket = createConnection(Number(port), hostname);
    const named = `Authorization: Bearer ${evil}\r\nOrigin: ${evil}\r\nUser-Agent: ${evil}`;
    socket.end(
      `GET /api/sessions?x=${evil.slice(0, 1)} HTTP/1.1\r\nHost: ${host}\r\n${named}\r\n\r\n`,
    );
    socket.resume();
    socket.on("error", () => {});
    await once(socket, "close");
  }
}

test("a whole run with hostile names leaves no secret, runs none of them, and is nobody else's to read", async () => {
  await collectSecrets();
  await sendHostileHeaders();
  const folder = join(hub.folder, EVIL);
  mkdirSync(folder);
  const look =
    "env; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' ' ' </proc/$PPID/cmdline; ps -eo args";
  const looking = `grep -rlaE 'sb[a-z]_[A-Za-z0-9_-]{40}' ${hub.data}`;
  const shell = { command: `{ ${look}; } > seen.txt 2>&1; ${looking} > found.txt; true` };
  const text = `Go ${EVIL}\n::tool Bash ${JSON.stringify(shell)}\n::say done`;
  const { id } = await hub.admin.createSession({
    folder,
    title: NAME,
    model: NAME,
    addDirs: [folder],
    prompt: { text },
  });
  const branch = await hub.admin
    .createSession({ folder, worktree: NAME })
    .catch((failure: { status: number }) => failure);
  expect(branch).toMatchObject({ status: 409 });
  using board = hub.admin.watchBoard();
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const see = () => holds() && resolve();
      board.subscribe(see);
      see();
    });
  await until(() => board.view.asks.length > 0);
  const [ask] = board.view.asks;
  expect(processesWith(hub.secrets, hub.processes())).toEqual([]);
  expect(hub.processes().length).toBeGreaterThan(2); // the hub, its runner, the agent
  const decision = { behavior: "allow" as const };
  await hub.admin.answer(ask?.id ?? "", { hash: ask?.hash ?? "", decision });
  await until(() => board.view.session(id)?.summary.turns === 1);

  // What the agent saw: its own environment and that of what started it, all command lines, the data folder.
  expect(readFileSync(join(folder, "seen.txt"), "utf8")).toContain("ANTHROPIC_API_KEY=dummy");
  const found = readFileSync(join(folder, "found.txt"), "utf8").split("\n");
  const kept = join(hub.data, "command-line.key"); // a driver's; where agents are isolated, not even that
  expect(found.filter((path) => path !== "" && path !== kept)).toEqual([]);
  expect(filesWith(hub.secrets, hub.place)).toEqual([]);

  // No name was run, and none steers whoever reads a log.
  const files = readdirSync(hub.place, { recursive: true, encoding: "utf8" });
  expect(files.filter((path) => /(?:^|\/)canary$/.test(path))).toEqual([]);
  const logs = files.filter((path) => path.startsWith("data/") && path.endsWith(".log"));
  expect(logs.length).toBeGreaterThan(0);
  for (const path of logs) {
    const log = readFileSync(join(hub.place, path), "utf8");
    expect([path, log.replaceAll("\n", "")]).toEqual([
      path,
      expect.stringMatching(/^[\x20-\x7e]*$/),
    ]);
  }

  // Under umask 000, also files that were there before with other modes.
  expect(openToOthers()).toBe("");
  await hub.stopHub();
  writeFileSync(join(hub.data, "old.log"), "", { mode: 0o644 });
  chmodSync(join(hub.data, "signalbox.sqlite"), 0o644);
  chmodSync(hub.data, 0o755);
  expect(openToOthers()).not.toBe("");
  await hub.serveAgain();
  expect(openToOthers()).toBe("");
});
