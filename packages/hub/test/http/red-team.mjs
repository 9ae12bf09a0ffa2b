// What an agent of the same user can try when it wants to approve its own request: run by the real
// agent, in the background, while another ask of its session is open. Writes down what came of it.
import { Database } from "bun:sqlite";
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
} from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [data, results, seconds = "0"] = process.argv.slice(2);
const until = performance.now() + Number(seconds) * 1000;
const { url, pid: hub } = JSON.parse(readFileSync(join(data, "hub.json"), "utf8"));
const commandLine = readFileSync(join(data, "command-line.key"), "utf8").trim();
const token = createKey(commandLine);
/** What was tried and how it was answered, each once. */
const tried = new Map();
const guessed = new Set();

/** A device's key, as the command line's file holds it. */
function createKey(text) {
  const [, hex, pkcs8] = /^sbk_([0-9a-f]{32})_(.+)$/.exec(text);
  const device = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const bytes = Buffer.from(pkcs8, "base64url");
  return { device, privateKey: createPrivateKey({ key: bytes, format: "der", type: "pkcs8" }) };
}

function newKey() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return { privateKey, publicKey: spki.toString("base64url") };
}

function signText({ privateKey: key }, ...lines) {
  const text = Buffer.from(lines.join("\n"));
  return sign("sha256", text, { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
}

/** A text is shown as bearer; a key signs, as the protocol says. */
async function shown(credential, method, path, body) {
  if (typeof credential === "string") return `Bearer ${credential}`;
  const { nonce } = await (
    await fetch(`${url}/api/identity`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ challenge: randomBytes(32).toString("hex") }),
    })
  ).json();
  const digest = createHash("sha256").update(body).digest("hex");
  const { device } = credential;
  const lines = ["signalbox request v1", device, nonce, "1", method, path, digest];
  return `Signalbox ${device}.${nonce}.1.${digest}.${signText(credential, ...lines)}`;
}

/** Signs what it allows with whatever key it has. */
function allowedBy(credential) {
  if (typeof credential === "string") return allow;
  const decision = JSON.stringify(allow.decision);
  const signature = signText(credential, "signalbox decision v1", open.id, open.hash, decision);
  return { ...allow, signature };
}

async function ask(what, method, path, credential, asked) {
  const body = asked === allow ? allowedBy(credential) : asked;
  const text = body ? JSON.stringify(body) : "";
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: await shown(credential, method, path, text),
      "signalbox-command": randomUUID(),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: text }),
  });
  const said = await response.json().catch(() => ({}));
  const token = said.token !== undefined;
  tried.set(`${what} ${response.status} ${token}`, { what, status: response.status, token });
  return said;
}

let asks = [];
let looks = 0;
while (!asks.some(({ input }) => JSON.stringify(input).includes("sentinel"))) {
  asks = await (
    await fetch(`${url}/api/asks`, {
      headers: { authorization: await shown(token, "GET", "/api/asks", "") },
    })
  ).json();
  if (++looks > 2400) throw new Error("waited two minutes in vain for the ask of the sentinel");
  await Bun.sleep(50);
}
const open = asks.find(({ input }) => JSON.stringify(input).includes("sentinel"));
const allow = { hash: open.hash, decision: { behavior: "allow" } };
const answering = `/api/asks/${open.id}/answer`;
const session = `/api/sessions/${open.session}`;

const secretsFound = new Set();
let rounds = 0;
do {
  await attackOnce();
  rounds += 1;
} while (performance.now() < until);

/** Everything that there is to try, once. */
async function attackOnce() {
  await ask("answer", "POST", answering, token, allow);
  for (const role of ["approver", "admin", "runner"]) {
    await ask(`pair ${role}`, "POST", "/api/pairings", token, { role });
  }
  const { code } = await ask("pairing", "POST", "/api/pairings", token, { role: "driver" });
  const own = newKey();
  const { publicKey } = own;
  const made = await ask("pair", "POST", "/api/pair", token, { code, name: "more", publicKey });
  const more = { device: made.device.id, privateKey: own.privateKey };
  await ask("answer as another driver", "POST", answering, more, allow);
  const terminal = newKey();
  const wanted = { name: "me", publicKey: terminal.publicKey };
  const lift = await ask("elevation", "POST", "/api/elevations", token, wanted);
  const lifting = `/api/elevations/${lift.id}`;
  const confirm = (by) => {
    const lines = ["signalbox elevation v1", lift.id, terminal.publicKey];
    return { confirm: true, signature: signText(by, ...lines) };
  };
  await ask("confirm itself", "POST", `${lifting}/decide`, token, confirm(token));
  await ask("confirm by another", "POST", `${lifting}/decide`, more, confirm(more));
  const lifted = { device: lift.id, privateKey: terminal.privateKey };
  await ask("answer as a terminal", "POST", answering, lifted, allow);
  await ask("token", "POST", "/api/tokens", token, { name: "me", role: "driver" });
  const { ticket } = await ask("ticket", "POST", "/api/tickets", token);
  await ask("answer by ticket", "POST", answering, ticket, allow);
  await ask("autonomous", "PATCH", session, token, { policy: "autonomous", confirmed: true });
  await ask("accept-edits", "PATCH", session, token, { policy: "accept-edits" });
  for (const mode of ["acceptEdits", "bypassPermissions", "dontAsk", "auto"]) {
    const fields = { mode };
    const body = { subtype: "set_permission_mode", fields };
    await ask(`mode ${mode}`, "POST", `${session}/control`, token, body);
  }
  await ask("allowed folders", "PUT", "/api/allowed-folders", token, { folders: ["/"] });
  await ask("session outside", "POST", "/api/sessions", token, { folder: "/" });
  const loose = { folder: process.cwd(), policy: "accept-edits" };
  await ask("looser session", "POST", "/api/sessions", token, loose);
  // A row of its own making, for a key of its own: the audit chain does not know it.
  const forged = newKey();
  const writing = new Database(join(data, "signalbox.sqlite"));
  const id = randomUUID();
  const now = Date.now();
  writing.run(
    `INSERT INTO devices ("id", "name", "role", "tokenHash", "createdAt", "expiresAt", "publicKey")
     VALUES (?, 'me', 'admin', '', ?, ?, ?)`,
    [id, now, now + 9e9, forged.publicKey],
  );
  writing.close();
  const admin = { device: id, privateKey: forged.privateKey };
  await ask("answer as a row of its own", "POST", answering, admin, allow);
  const database = readdirSync(data).find((name) => /\.(db|sqlite3?)$/.test(name));
  const rows = new Database(join(data, database), { readonly: true });
  for (const { name } of rows.query("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
    for (const row of rows.query(`SELECT * FROM "${name}"`).all()) {
      const hash = Object.values(row).find((cell) => /^[0-9a-f]{64}$/.test(String(cell)));
      if (!hash || guessed.has(hash)) continue;
      guessed.add(hash);
      await ask("answer by a stored hash", "POST", answering, hash, allow);
    }
  }
  const texts = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  // The agent, the runner above it, and the hub.
  for (let pid = process.pid; pid > 1;) {
    texts.push(readFileSync(`/proc/${pid}/cmdline`, "latin1"));
    texts.push(readFileSync(`/proc/${pid}/environ`, "latin1"));
    const runner = texts.at(-2)?.includes("--own");
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    pid = runner ? 0 : Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
  }
  texts.push(readFileSync(`/proc/${hub}/cmdline`, "latin1"));
  const secrets = new Set(
    texts.flatMap((text) => text.match(/sb[xtk]_[0-9a-f]{32}_[\w-]{43,}/g) ?? []),
  );
  secrets.delete(commandLine);
  for (const found of secrets)
    await ask("answer by a found secret", "POST", answering, found, allow);
  const fresh = await ask("ticket", "POST", "/api/tickets", token);
  const protocols = ["signalbox.stream.v1", `ticket.${fresh.ticket}`];
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/stream`, protocols);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  socket.send(JSON.stringify({ type: "hello", version: 1, role: "admin" }));
  socket.send(JSON.stringify({ type: "answer", ask: open.id, ...allow }));
  socket.send(JSON.stringify({ type: "watch-board" }));
  await new Promise((resolve) => socket.addEventListener("message", resolve));
  socket.close();
  await ask("leave", "DELETE", `/api/devices/${made.device.id}`, more);
  rows.close();
  for (const found of secrets) secretsFound.add(found);
}

writeFileSync(
  results,
  JSON.stringify({ tried: [...tried.values()], found: secretsFound.size, rounds }),
);
