// What an agent under a user of its own can try when it wants to approve its own request: it is told
// which one waits and where the hub is, and has no credential. Writes down what came of it.
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [brief, data, results, seconds] = process.argv.slice(2);
for (let left = 6000; !existsSync(brief); left--) {
  if (left === 0) throw new Error(`waited two minutes in vain for ${brief}`);
  await Bun.sleep(20);
}
const until = performance.now() + Number(seconds) * 1000;
const { url, hub, id, hash, session } = JSON.parse(readFileSync(brief, "utf8"));
const allow = { hash, decision: { behavior: "allow" } };
const answering = `/api/asks/${id}/answer`;
/** What was tried and how it was answered, each once. */
const tried = new Map();
const found = new Set();

async function ask(what, method, path, bearer, body) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      "signalbox-command": randomUUID(),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await response.json().catch(() => ({}));
  const token = said.token !== undefined || said.ticket !== undefined || said.code?.length > 40;
  tried.set(`${what} ${response.status}`, { what, status: response.status, token });
}

/** Undefined: it may not be read. */
function readable(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function filesOf(folder) {
  try {
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  } catch {
    return [];
  }
}

/** Everything of the hub's that this user can read: files, and what the system tells of processes. */
function everythingReadable() {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const told = pids.flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`]);
  const held = filesOf(`/proc/${hub}/fd`);
  const names = [
    "hub.json",
    "identity.json",
    "command-line.key",
    "hub.log",
    "signalbox.sqlite",
    "signalbox.sqlite-wal",
    "runner/runner.log",
  ];
  return [...filesOf(data), ...names.map((name) => join(data, name)), ...told, ...held]
    .map(readable)
    .filter((text) => text !== undefined);
}

let rounds = 0;
do {
  const forged = `sbx_${randomUUID().replaceAll("-", "")}_${randomBytes(32).toString("base64url")}`;
  for (const bearer of [undefined, forged, forged.replace("sbx", "sbt"), hash, id, "undefined"]) {
    await ask("answer", "POST", answering, bearer, allow);
    await ask("look", "GET", "/api/asks", bearer);
    await ask("ticket", "POST", "/api/tickets", bearer);
    await ask("invite", "POST", "/api/pairings", bearer, { role: "approver" });
    await ask("elevation", "POST", "/api/elevations", bearer, { name: "me" });
    await ask("policy", "PATCH", `/api/sessions/${session}`, bearer, {
      policy: "autonomous",
      confirmed: true,
    });
  }
  await ask("pair", "POST", "/api/pair", undefined, { code: forged, name: "me" });
  for (const text of everythingReadable()) {
    for (const secret of text.match(/sb[xtk]_[0-9a-f]{32}_[\w-]{43,}/g) ?? []) found.add(secret);
  }
  for (const secret of found)
    await ask("answer by a found secret", "POST", answering, secret, allow);
  const protocols = ["signalbox.stream.v1", `ticket.${forged}`];
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/stream`, protocols);
  let opened = false;
  const over = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.addEventListener("open", () => {
    opened = true;
    socket.send(JSON.stringify({ type: "hello", version: 1, role: "admin" }));
    socket.send(JSON.stringify({ type: "answer", ask: id, ...allow }));
  });
  await over;
  tried.set(`stream ${opened}`, { what: "stream", status: opened ? 200 : 401, token: false });
  rounds += 1;
} while (performance.now() < until);

writeFileSync(results, JSON.stringify({ tried: [...tried.values()], found: found.size, rounds }));
