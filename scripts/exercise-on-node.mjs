// Loads the runtime-neutral packages in their built form (`tsc -b` makes it) on the machine's own
// Node and uses them: whatever needs Bun, or a newer Node than we promise, fails here.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { webSocketTransport } from "@signalbox/agent/transports";
import { connect, HubError } from "@signalbox/client";
import { exampleNames, exampleScript, parseScript, startModel } from "@signalbox/model";
import {
  decode,
  readLines,
  lineText,
  SignalboxError,
  createTransportPair,
} from "@signalbox/protocol";
import { LineSplitter, Peer } from "@signalbox/protocol/wire";
import { Host, sdkDriver, sdkUrlDriver, stdioDriver } from "@signalbox/host";
import { bundledAgent } from "@signalbox/host/agents";
import { startRunner } from "@signalbox/runner";
import { advance, createTimeline } from "@signalbox/timeline";
import { WebSocketServer } from "ws";

const root = fileURLToPath(new URL("..", import.meta.url));
const fixtures = join(root, "fixtures/");
const chunkSizes = [1, 3, 7, 61, 1021, 65_537];

void test("the packages are the built ones", () => {
  for (const name of ["protocol", "api", "timeline", "client", "model", "agent", "runner"]) {
    const found = import.meta.resolve(`@signalbox/${name}`);
    assert.ok(found.endsWith(`/packages/${name}/dist/index.js`), found);
  }
});

void test("recorded exchanges, in odd chunks, split into their lines, and every line is known", () => {
  for (const [story, rows] of recordings()) {
    const expected = rows.map(({ text }) => text);
    const bytes = Buffer.from(expected.map((line) => `${line}\r\n`).join(""));
    for (const size of chunkSizes) {
      const splitter = new LineSplitter();
      const found = [...chunks(bytes, size)].flatMap((chunk) => splitter.push(chunk));
      assert.deepEqual([...found, ...splitter.end()], expected, `${story}, ${size} at a time`);
    }
    for (const line of expected) {
      const decoded = decode(line);
      assert.equal(decoded.raw, line);
      assert.equal(decoded.kind, "known", `${story}: ${line.slice(0, 200)}`);
    }
  }
});

void test("the timeline tells every recorded exchange, and goes on from a stored state", () => {
  for (const [story, rows] of recordings()) {
    const tell = (state, part) => {
      let events = 0;
      for (const { from, text } of part) {
        const step = advance(state, { from, line: decode(text) });
        state = step.state;
        events += step.events.length;
      }
      return { state, events };
    };
    const whole = tell(createTimeline(), rows);
    const half = tell(createTimeline(), rows.slice(0, rows.length >> 1));
    const rest = tell(JSON.parse(JSON.stringify(half.state)), rows.slice(rows.length >> 1));
    assert.equal(JSON.stringify(rest.state), JSON.stringify(whole.state), story);
    assert.ok(whole.events >= rows.length, story);
  }
});

void test("readLines() reads a stream: a cut line, bad UTF-8 and a last line without its end", async () => {
  const stream = new Blob(["x".repeat(25), "\né\u2028€\n", Uint8Array.of(0xff, 0x0a), "end"]);
  const found = [];
  for await (const batch of readLines(stream.stream(), { limit: 10 })) found.push(...batch);
  assert.deepEqual(found.map(lineText), ["x".repeat(10), "é\u2028€", "\ufffd", "end"]);
  assert.equal(found[0].flaws.droppedBytes, 15);
  assert.deepEqual([...found[2].flaws.original], [0xff]);
});

void test("two peers ask and answer each other, with refusal, withdrawal and time-out", async () => {
  const [near, far] = createTransportPair();
  const withdrawn = [];
  const never =
    (name) =>
    (_request, { signal }) =>
      new Promise(() => signal.addEventListener("abort", () => withdrawn.push(name)));
  const host = peerOver(near, {
    can_use_tool: ({ tool_name }) => ({ behavior: "allow", tool: tool_name }),
  });
  const agent = peerOver(far, {
    initialize: () => ({ commands: [] }),
    slow: never("slow"),
    silent: never("silent"),
    broken: () => Promise.reject(new Error("it is broken")),
  });

  const [initialized, permission] = await Promise.all([
    host.peer.request({ subtype: "initialize" }),
    agent.peer.request({ subtype: "can_use_tool", tool_name: "Bash", input: {} }),
  ]);
  assert.deepEqual(initialized, { commands: [] });
  assert.deepEqual(permission, { behavior: "allow", tool: "Bash" });

  const abort = new AbortController();
  const slow = host.peer.request({ subtype: "slow" }, { signal: abort.signal });
  abort.abort();
  await assert.rejects(slow, failsWith("REQUEST_ABORTED"));
  const silent = host.peer.request({ subtype: "silent" }, { timeoutMs: 20 });
  await assert.rejects(silent, failsWith("REQUEST_TIMED_OUT"));
  await assert.rejects(host.peer.request({ subtype: "broken" }), failsWith("REQUEST_REFUSED"));
  await assert.rejects(
    host.peer.request({ subtype: "nonsense" }),
    (failure) => SignalboxError.is(failure, "REQUEST_REFUSED") && failure.data.unsupported,
  );
  assert.deepEqual(withdrawn, ["slow", "silent"]); // lines keep their order: both were told by now
  assert.equal(host.peer.waiting, 0);

  const last = host.peer.request({ subtype: "silent" });
  await near.close();
  await assert.rejects(last, failsWith("CONNECTION_CLOSED"));
  await assert.rejects(near.send("{}"), failsWith("CONNECTION_CLOSED"));
  await Promise.all([host.over, agent.over]);
});

void test("the scripted model answers streamed and whole, and fails as scripted", async () => {
  const script = 'think Hm.\nsay Have a look.\ntool Bash {"command":"ls"}\n== fail\noverload\n';
  const model = await startModel({ port: 0, script });
  try {
    const streamed = await post(model, { stream: true, messages: [user("Go on.")] });
    assert.match(streamed.headers.get("content-type"), /^text\/event-stream/);
    const events = readEvents(await streamed.text());
    assert.deepEqual([events.at(0).type, events.at(-1).type], ["message_start", "message_stop"]);
    const text = events.map(({ delta }) => delta?.text ?? "").join("");
    const input = events.map(({ delta }) => delta?.partial_json ?? "").join("");
    assert.equal(text, "Have a look.");
    assert.deepEqual(JSON.parse(input), { command: "ls" });

    const whole = await (await post(model, { messages: [user("Go on.")] })).json();
    assert.deepEqual(
      whole.content.map((block) => block.type),
      ["thinking", "text", "tool_use"],
    );
    assert.equal(whole.stop_reason, "tool_use");

    const failed = await post(model, { messages: [user("fail")] });
    assert.equal(failed.status, 529);
    assert.equal((await failed.json()).error.type, "overloaded_error");
    assert.equal(model.requests.length, 3);
  } finally {
    await model.close();
  }
  await assert.rejects(post(model, { messages: [user("Anyone?")] }));
});

void test("the scripted model finds the scripts that come with it", () => {
  assert.ok(exampleNames().includes("demo"));
  for (const name of exampleNames()) parseScript(exampleScript(name));
});

void test("the client calls again with the same id, reads refusals, and shows what comes live", async () => {
  const commands = [];
  const server = createServer((request, answer) => {
    const say = (status, body) => answer.writeHead(status).end(JSON.stringify(body));
    if (request.url === "/api/tickets") return say(200, { ticket: "once" });
    if (request.url === "/api/asks") return say(403, { code: "too-weak", detail: "Not for you." });
    commands.push(request.headers["signalbox-command"]);
    return commands.length === 1 ? request.socket.destroy() : say(202, { id: commands[1] });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const client = connect({ url, token: "t", timing: { firstRetryMs: 1 }, WebSocket: OneWatch });
  try {
    const queued = await client.send("a-session", { text: "hello" });
    assert.deepEqual(commands, [queued.id, queued.id]);
    await assert.rejects(client.asks(), (failure) => HubError.is(failure, "too-weak"));
    const watch = client.watchSession("a-session");
    await new Promise((resolve) => watch.subscribe(() => watch.view.ids.length > 0 && resolve()));
    assert.equal(watch.view.item("one").text, "Hello");
  } finally {
    client.close();
    server.close();
    server.closeAllConnections();
  }
});

void test("the agent dials a WebSocket, is cut off, comes back and says again what was not acknowledged", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const [heard, headers] = [[], []];
  let [socket, wake] = [undefined, () => {}];
  server.on("connection", (connection, request) => {
    headers.push(request.headers);
    socket = connection;
    connection.on("message", (data) => {
      const lines = Buffer.concat([data].flat()).toString("utf8").split("\n").filter(Boolean);
      heard.push(...lines.map((line) => JSON.parse(line).n));
      wake();
    });
  });
  await once(server, "listening");
  const hears = async (n) => {
    while (!heard.includes(n)) await new Promise((resolve) => (wake = resolve));
  };
  const url = `ws://127.0.0.1:${server.address().port}`;
  const transport = webSocketTransport(url, { token: "secret", firstDelayMs: 10, report() {} });
  try {
    const say = (n) => transport.send(JSON.stringify({ uuid: `u${n}`, n }));
    await say(1);
    await hears(1);
    socket.terminate();
    await say(2);
    await hears(2);
    socket.send('{"type":"keep_alive"}\n');
    assert.equal(headers[0].authorization, "Bearer secret");
    assert.ok("x-last-request-id" in headers[1]);
    const { value } = await transport.incoming[Symbol.asyncIterator]().next();
    assert.equal(lineText(value[0]), '{"type":"keep_alive"}');
  } finally {
    await transport.close();
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

void test("the complete agent, as it was built, runs on this Node: a tool, its result, a session to go on with", async () => {
  await withAgent(async ({ run }) => {
    const look = '::tool Bash {"command":"echo It is Ada"}\n::say I heard {{seen It is (\\w+)}}.';
    assert.equal(await run(look), "I heard Ada.");
    assert.equal(await run("::say Still {{seen It is (\\w+)}}.", "--continue"), "Still Ada.");
  });
});

const hosts = [
  { name: "Claude Code, over its pipes", driver: stdioDriver(), agentPath: bundledAgent() },
  { name: "Claude Code, by the Agent SDK", driver: sdkDriver(), agentPath: bundledAgent() },
  { name: "signalbox-agent, over its pipes", driver: stdioDriver(), agentPath: agentProgram() },
];
for (const { name, driver, agentPath } of hosts) {
  void test(`Host drives an agent from this Node through a turn with a permission: ${name}`, async () => {
    const place = mkdtempSync(join(tmpdir(), "signalbox-host-on-node-"));
    const model = await startModel({ script: "" });
    const asked = [];
    const onAsk = (ask) => {
      asked.push(ask.tool);
      return { behavior: "allow" };
    };
    const environment = {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(":");
    const inheritFrom = { HOME: place, PATH: path, LANG: "C.UTF-8" };
    const launch = { folder: place, agentPath, inheritFrom, environment };
    let host;
    try {
      host = await Host.start(driver, launch, { onAsk });
      const text = '::tool Bash {"command":"echo made > here.txt"}\n::say Done.';
      const types = [];
      const lines = host.turn({ text })[Symbol.asyncIterator]();
      let step = await lines.next();
      for (; !step.done; step = await lines.next()) types.push(step.value.message?.type);
      assert.equal(step.value.result.result, "Done.");
      assert.ok(types.includes("assistant"));
      assert.deepEqual(asked, ["Bash"]);
      assert.equal(readFileSync(join(place, "here.txt"), "utf8"), "made\n");
    } finally {
      await host?.stop();
      await model.close();
      rmSync(place, { recursive: true, force: true });
    }
  });
}

void test("what of the runner needs Bun says so on Node", async () => {
  const needsBun = /needs Bun\. On Node, Host and the drivers stdio and sdk work/;
  await assert.rejects(startRunner({ dataFolder: join(tmpdir(), "never-made") }), needsBun);
  await assert.rejects(sdkUrlDriver().start({ folder: tmpdir() }), needsBun);
});

void test("an expression over which Node itself would think for ever is searched for at once", async () => {
  await withAgent(async ({ place, run }) => {
    writeFileSync(join(place, "a.txt"), `${"a".repeat(45)}!\n`);
    const look = '::tool Grep {"pattern":"^(a+)+$"}\n::say It is: {{seen (No files found)}}.';
    assert.equal(await run(look), "It is: No files found.");
  });
});

void test("what is packed can be used from Node and from Bun", () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-packed-"));
  try {
    for (const name of ["protocol", "api", "agent", "reference-agent"]) unpack(name, place);
    const kit = 'import { runAgent } from "@signalbox/agent";\nconsole.log(typeof runAgent);\n';
    writeFileSync(join(place, "kit.mjs"), kit);
    const agent = "node_modules/@signalbox/reference-agent/bin/signalbox-agent.mjs";
    const bun = join(root, "node_modules/bun/bin/bun.exe");
    for (const runtime of [process.execPath, bun]) {
      const run = (...args) => execFileSync(runtime, args, { cwd: place, encoding: "utf8" });
      assert.equal(run("kit.mjs"), "function\n");
      assert.match(run(agent, "--version"), /^\d+\.\d+\.\d+ /);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

/** As `npm install` would, but that what it depends on is taken from here. */
function unpack(name, place) {
  const folder = join(place, "node_modules/@signalbox", name);
  mkdirSync(folder, { recursive: true });
  const pack = ["pack", "--silent", "-w", `packages/${name}`, "--pack-destination", place];
  const file = execFileSync("npm", pack, { cwd: root, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(place, file), "-C", folder, "--strip-components=1"]);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const other of Object.keys(dependencies).filter((one) => !one.startsWith("@signalbox/"))) {
    const link = join(place, "node_modules", other);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(join(root, "node_modules", other), link);
  }
}

/** The program that the package installs as a command. */
function agentProgram() {
  return join(root, "packages/reference-agent/bin/signalbox-agent.mjs");
}

/** The agent in an empty folder, with a model that says what the prompt tells it to. */
async function withAgent(use) {
  const place = mkdtempSync(join(tmpdir(), "signalbox-on-node-"));
  const model = await startModel({ script: "" });
  const program = fileURLToPath(
    new URL("../packages/reference-agent/dist/main.js", import.meta.url),
  );
  const run = async (prompt, ...args) => {
    const env = {
      HOME: place,
      PATH: "/usr/bin:/bin",
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy",
    };
    const limits = { timeout: 120_000, killSignal: "SIGKILL" }; // a busy loop hears nothing else
    const child = spawn(process.execPath, [program, "-p", ...args], { cwd: place, env, ...limits });
    child.stdin.end(prompt);
    let [said, failed] = ["", ""];
    child.stdout.on("data", (bytes) => (said += bytes));
    child.stderr.on("data", (bytes) => (failed += bytes));
    const [code] = await once(child, "close");
    assert.deepEqual({ code, failed }, { code: 0, failed: "" });
    return said.trim();
  };
  try {
    await use({ place, run });
  } finally {
    await model.close();
    rmSync(place, { recursive: true, force: true });
  }
}

/** Node 20 has no WebSocket of its own: the other end of one, as the client sees it. */
class OneWatch extends EventTarget {
  constructor() {
    super();
    setTimeout(() => this.dispatchEvent(new Event("open")));
  }
  #say(frame) {
    const data = JSON.stringify({ session: "a-session", ...frame });
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  send(text) {
    const { type } = JSON.parse(text);
    if (type === "hello") this.#say({ type: "welcome" });
    if (type !== "watch") return;
    const items = [{ id: "one", order: 0, turn: 0, rev: 1, kind: "text", text: "Hel", live: true }];
    this.#say({ type: "items", epoch: "e", rev: 1, more: false, reset: { older: false }, items });
    this.#say({ type: "text", item: "one", at: 3, text: "lo" });
  }
  close() {}
}

/** Every recorded exchange, by `version/story`: who said which line. Notes were said by nobody. */
function recordings() {
  const found = new Map();
  for (const { name: version } of readdirSync(fixtures, { withFileTypes: true }).filter(isFolder)) {
    const stories = readdirSync(`${fixtures}/${version}`).filter((name) =>
      name.endsWith(".ndjson"),
    );
    for (const story of stories) {
      const rows = readFileSync(`${fixtures}/${version}/${story}`, "utf8").trimEnd().split("\n");
      const said = rows.map((row) => JSON.parse(row)).filter(({ line, raw }) => line ?? raw);
      found.set(
        `${version}/${story}`,
        said.map(({ from, line, raw }) => ({ from, text: raw ?? JSON.stringify(line) })),
      );
    }
  }
  assert.ok(found.size > 0);
  return found;
}

function isFolder(entry) {
  return entry.isDirectory();
}

function* chunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** One end of the control plane, fed from a transport; `over` settles when reading has ended. */
function peerOver(transport, handlers) {
  const peer = new Peer({ send: (line) => transport.send(line), handlers });
  const read = async () => {
    for await (const batch of transport.incoming) {
      for (const line of batch) peer.accept(decode(line));
    }
    peer.end(await transport.closed);
  };
  return { peer, over: read() };
}

function failsWith(code) {
  return (failure) => SignalboxError.is(failure, code);
}

function user(content) {
  return { role: "user", content };
}

function post(model, body) {
  const text = JSON.stringify({ model: "claude-test", max_tokens: 100, ...body });
  return fetch(`${model.url}/v1/messages`, { method: "POST", body: text });
}

function readEvents(stream) {
  const parts = stream.split("\n\n").filter(Boolean);
  return parts.map((part) => JSON.parse(/^data: (.*)$/m.exec(part)[1]));
}
