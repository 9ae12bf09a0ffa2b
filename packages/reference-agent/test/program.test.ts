import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Model, startModel } from "@signalbox/model";
import { onTerminal as startOnTerminal, type Person } from "./terminal/terminal-stage.ts";
import { Relay } from "@signalbox/testing/websocket-relay";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const bin = new URL("../bin/signalbox-agent.mjs", import.meta.url).pathname;
const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-program-")));
const [home, folder] = [join(place, "home"), join(place, "work")];
let model: Model;

beforeAll(async () => {
  mkdirSync(home);
  mkdirSync(folder);
  model = await startModel({ script: "" });
});
const onTerminals: Person[] = [];
afterAll(async () => {
  for (const person of onTerminals) person.close();
  await model.close();
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
});

const environment = () => ({
  HOME: home,
  PATH: process.env["PATH"],
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: "dummy-key-for-tests",
  CLAUDE_CODE_TMPDIR: join(place, "tmp"),
});

/** Runs the program with a prompt, to its end. */
async function run(prompt: string, args: readonly string[] = [], more: object = {}) {
  const child = Bun.spawn([process.execPath, bin, "-p", ...args], {
    cwd: folder,
    env: { ...environment(), ...more },
    stdin: new Blob([prompt]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out: out.trim(), error: error.trim(), code: await child.exited };
}

/** Runs the program on a terminal of its own, in a folder that is trusted. */
function onTerminal(args: readonly string[] = []) {
  const projects = { [folder]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify({ projects }));
  const env = { ...environment(), TERM: "xterm-256color" };
  const person = startOnTerminal(args, { env, columns: 100, folder });
  onTerminals.push(person);
  return person;
}

const projects = () => join(home, ".claude/projects", folder.replaceAll(/[^a-zA-Z0-9]/g, "-"));
const getRows = (path: string): { [field: string]: unknown }[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { [field: string]: unknown });

/** Reads the process id that a command writes, as soon as it is there. */
async function pidIn(path: string): Promise<number> {
  const text = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
  await until(`a process has written its pid to ${path}`, () => text().endsWith("\n"));
  return Number(text());
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the program", () => {
  test("[AG34] a session with a name can be resumed by it", async () => {
    const first = await run("Hello\n::say My number is 41.", ["--name", "The count"]);
    expect(first).toEqual({ out: "My number is 41.", error: "", code: 0 });
    const again = await run("And?\n::say It goes on.", ["--resume", "The count"]);
    expect(again).toEqual({ out: "It goes on.", error: "", code: 0 });
    expect(readdirSync(projects()).length).toBe(1);
    const sent = JSON.stringify(model.requests.at(-1));
    expect(sent).toContain("My number is 41.");
    const none = await run("And?", ["--resume", "No such name"]);
    expect(none.code).toBe(1);
    expect(none.error).toEndWith("is not a UUID and does not match any session title.");
  });

  test("[AG32] a subagent's conversation is stored in a file beside the session's", async () => {
    const id = "55555555-1111-4111-8111-111111111111";
    const task = {
      description: "Count",
      run_in_background: false,
      prompt: 'Count\n::tool Bash {"command":"echo seven"}\n::say I have counted.',
    };
    const prompt = `Go\n::tool Task ${JSON.stringify(task)}\n::say They have counted.`;
    expect((await run(prompt, ["--session-id", id])).out).toBe("They have counted.");
    const [name = ""] = readdirSync(join(projects(), id, "subagents"));
    const rows = getRows(join(projects(), id, "subagents", name));
    expect(rows.map(({ type }) => type)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(rows.every(({ isSidechain }) => isSidechain === true)).toBe(true);
    expect(rows.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...rows.slice(0, -1).map(({ uuid }) => uuid),
    ]);
    const main = getRows(join(projects(), `${id}.jsonl`));
    expect(main.some(({ isSidechain }) => isSidechain === true)).toBe(false);
  });

  test("[AG31] a prompt is sent to the dialed address; giving up exits with 1", async () => {
    const relay = await new Relay().open();
    const often = ["--sdk-url-attempts", "1", "--sdk-url-first-delay", "1"];
    const agent = onTerminal(["--sdk-url", relay.url, ...often, "::say hello"]);
    await until(() => relay.got.some((line) => line.includes('"result":"hello"')));
    await Promise.all([relay.close(), agent.sees("and 1 attempts to get it back failed.")]);
    expect(await agent.exited).toBe(1);
  });

  test("[AG7] a request is answered even if the input ends with it", async () => {
    const format = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    const line = '{"type":"control_request","request_id":"a","request":{"subtype":"mcp_status"}}\n';
    expect(await run(line, format)).toEqual({
      out: '{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"mcpServers":[]}}}',
      error: "",
      code: 0,
    });
  });

  test.each([
    ["SIGINT", 0, "Execution error"],
    ["SIGTERM", 143, ""],
    ["SIGHUP", 129, ""],
  ] as const)("[AG51] %s ends the program and its commands", async (signal, code, said) => {
    const command = (name: string) => `echo $$ > ${name}; tail -f /dev/null`;
    const names = [`${signal}-behind`, `${signal}-before`];
    const calls = names.map((name, at) => {
      const input = { command: command(name), run_in_background: at === 0 };
      return `::tool Bash ${JSON.stringify(input)}\n::next\n`;
    });
    const child = Bun.spawn([process.execPath, bin, "-p", "--allowed-tools", "Bash"], {
      cwd: folder,
      env: environment(),
      stdin: new Blob([`Run\n${calls.join("")}::say Done.`]),
      stdout: "pipe",
    });
    const pids = await Promise.all(names.map((name) => pidIn(join(folder, name))));
    child.kill(signal);
    expect(await child.exited).toBe(code);
    // On a very slow machine the grace period is over before the result is sent.
    expect(["", said]).toContain(await new Response(child.stdout).text());
    for (const pid of pids) await until(() => !isAlive(pid));
  });

  test("[AG51] in a checkout, killing the launcher ends the program and its commands", async () => {
    const input = JSON.stringify({ command: "echo $$ > orphan; tail -f /dev/null" });
    const child = Bun.spawn(["node", bin, "-p", "--allowed-tools", "Bash"], {
      cwd: folder,
      env: environment(),
      stdin: new Blob([`Run\n::tool Bash ${input}\n::next\n::say Done.`]),
      stdout: "pipe",
    });
    const pid = await pidIn(join(folder, "orphan"));
    child.kill("SIGKILL");
    // This waits until no process holds the pipe any more.
    expect(await new Response(child.stdout).text()).toBe("");
    await until(() => !isAlive(pid));
  });

  test("[AG40] a blank prompt is refused", async () => {
    const blank = await run("", [" "]);
    expect(blank).toEqual({
      out: "",
      error:
        "Error: Input contained only whitespace. Provide a prompt with text through stdin or as a prompt argument when using --print",
      code: 1,
    });
  });

  test("[RA29] the environment can limit the length of answers and thinking", async () => {
    const limits = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "9000", MAX_THINKING_TOKENS: "5000" };
    await run("::say Short.", ["--model", "claude-sonnet-4-5"], limits);
    const [asked = ""] = model.requests.map((one) => JSON.stringify(one)).slice(-1);
    expect(asked).toContain('"max_tokens":9000');
    expect(asked).toContain('"budget_tokens":5000');
  });

  test("[AG44] on a terminal it asks there; a paste is one prompt; Ctrl-C stops the turn, clears the line, and pressed twice exits", async () => {
    const person = onTerminal();
    await person.sees("> ");
    person.type('::tool Bash {"command":"touch by-hand.txt"}\r');
    await person.sees("Allow? ");
    person.type("y\r");
    await person.sees("Done.");
    await person.sees("> ");
    expect(existsSync(join(folder, "by-hand.txt"))).toBe(true);
    person.type('::tool Bash {"command":"touch begun; sleep 1000"}\r');
    await person.sees("Allow? ");
    person.type("y\r");
    await until(() => existsSync(join(folder, "begun")));
    person.type("\u0003");
    await person.sees("… interrupted");
    await person.sees("> ");
    person.type("\u001b[200~Two lines\r::say One prompt.\u001b[201~");
    person.type("\r");
    await person.sees("JOne prompt.");
    await person.sees("> ");
    person.type("half\u0003::say Begun anew.\r");
    await person.sees("JBegun anew.");
    await person.sees("> ");
    person.type("\u0003");
    await person.sees("once more leaves");
    person.type("\u0003");
    expect(await person.exited).toBe(0);
  });

  test("[AG37] --rewind-files restores files at the start, and does nothing else", async () => {
    const enabled = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "1" };
    const id = "66666666-1111-4111-8111-111111111111";
    const path = join(folder, "kept.txt");
    writeFileSync(path, "as it was\n");
    const call = (name: string, input: object) => `::tool ${name} ${JSON.stringify(input)}`;
    const lines = [
      "Change it",
      call("Read", { file_path: path }),
      "::next",
      call("Write", { file_path: path, content: "changed\n" }),
      call("Write", { file_path: join(folder, "new.txt"), content: "new\n" }),
      "::say Changed.",
    ];
    const args = ["--session-id", id, "--permission-mode", "acceptEdits"];
    expect((await run(lines.join("\n"), args, enabled)).out).toBe("Changed.");
    expect(readFileSync(path, "utf8")).toBe("changed\n");
    const rows = getRows(join(projects(), `${id}.jsonl`));
    const uuid = String(rows.find(({ type }) => type === "user")?.["uuid"]);
    const back = await run("", ["--resume", id, "--rewind-files", uuid], enabled);
    expect(back).toEqual({
      out: `Files rewound to state at message ${uuid}`,
      error: "",
      code: 0,
    });
    expect(readFileSync(path, "utf8")).toBe("as it was\n");
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
    const unknown = await run("", ["--resume", id, "--rewind-files", id], enabled);
    expect(unknown.code).toBe(1);
    expect(unknown.error).toContain("is not a user message in this session");
  });

  test("[RA33] files mentioned with @ are read if they may be", async () => {
    writeFileSync(join(folder, "note.txt"), "the word is plum\n");
    writeFileSync(join(place, "secret.txt"), "the word is pear\n");
    const told = async (prompt: string) => {
      await run(prompt);
      return JSON.stringify(model.requests.at(-1));
    };
    expect(await told("What is in @note.txt?\n::say A word.")).toContain("the word is plum");
    expect(await told(`And @${place}/secret.txt\n::say No word.`)).not.toContain("pear");
  });

  test("[AG44] --resume without a value lets a person choose the conversation", async () => {
    await run("The first\n::say One.", ["--name", "First of all"]);
    await run("The second\n::say Two.");
    const left = onTerminal(["--resume"]);
    await left.sees("1  ");
    await left.sees("The second");
    await left.sees("2  ");
    await left.sees("First of all");
    await left.sees("leave: ");
    left.type("\r");
    expect(await left.exited).toBe(0);
    const chosen = onTerminal(["--resume"]);
    await chosen.sees("leave: ");
    chosen.type("99\r");
    await chosen.sees("leave: ");
    chosen.type("2\r");
    await chosen.sees("> ");
    chosen.type("And?\r");
    await chosen.sees("Echo: And?");
    await chosen.sees("> ");
    chosen.type("\u0003\u0003");
    expect(await chosen.exited).toBe(0);
    expect(JSON.stringify(model.requests.at(-1))).toContain("One.");
  });

  test("[AG50] a kind of agent can lead it, with its prompt, tools and model; an unknown one is refused", async () => {
    mkdirSync(join(folder, ".claude", "agents"), { recursive: true });
    const scribe =
      "---\nname: scribe\ndescription: Writes\ntools: Read\nmodel: sonnet\n---\nSay aye.";
    writeFileSync(join(folder, ".claude", "agents", "scribe.md"), scribe);
    const unknown = await run("Hello", ["--agent", "nobody"]);
    expect(unknown).toMatchObject({ out: "", code: 1 });
    expect(unknown.error).toBe(
      "--agent 'nobody' not found. Available agents: Explore, general-purpose, Plan, scribe",
    );
    for (const args of [["--agent", "scribe"], ["-c"], ["--settings", '{"agent":"scribe"}']]) {
      await run("Hello\n::say Aye.", args);
      const asked = model.requests.at(-1) as Record<string, unknown>;
      expect(asked).toMatchObject({ model: "claude-sonnet-5-5", tools: [{ name: "Read" }] });
      expect(JSON.stringify(asked["system"])).toContain("Say aye.");
    }
  });

  test("[AG49] a cleared conversation can be resumed and continues without the command", async () => {
    const line = (content: string) => ({ type: "user", message: { role: "user", content } });
    const lines = ["Plum\n::say Plum.", "/clear", "Pear\n::say Pear."].map(line);
    const streams = ["--input-format", "stream-json", "--output-format", "stream-json"];
    const { out } = await run(lines.map((one) => JSON.stringify(one)).join("\n"), [
      ...streams,
      "--verbose",
    ]);
    const said = out.split("\n").map((one) => JSON.parse(one) as Record<string, string>);
    const ids = [...new Set(said.map((one) => one["session_id"]))];
    expect(ids.length).toBe(2);
    const told = async (id = "") => {
      await run("And?\n::say So.", ["--resume", id]);
      return JSON.stringify(model.requests.at(-1));
    };
    const [before, after] = [await told(ids[0]), await told(ids[1])];
    expect(before).toContain("Plum");
    expect(before).not.toContain("/clear");
    expect(after).toContain("Pear");
    expect(after).not.toContain("Plum");
  });

  test("[RA31] a page is fetched, converted to text and answered about", async () => {
    const web = Bun.serve({
      port: 0,
      fetch: () =>
        new Response("<h1>Timetable</h1><script>no()</script>", {
          headers: { "content-type": "text/html" },
        }),
    });
    try {
      const input = { url: `http://127.0.0.1:${web.port}/`, prompt: "What is it?" };
      const prompt = `Look\n::tool WebFetch ${JSON.stringify(input)}\n::say I read {{seen (Echo: A page)}}`;
      const { out } = await run(prompt, ["--allowed-tools", "WebFetch"]);
      expect(out).toBe("I read Echo: A page");
      const asked = JSON.stringify(model.requests.at(-2));
      expect(asked).toContain("Timetable");
      expect(asked).not.toContain("no()");
    } finally {
      await web.stop(true);
    }
  });
});
