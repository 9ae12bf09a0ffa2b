import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { allowAll, openToolStage } from "./tool-stage.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const hooks = (event: string, command: string, more: object = {}) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: "command", command, ...more }] }] } });

describe("hooks of settings", () => {
  test("[RA23] exit code 2 blocks with the reason; a JSON answer decides and changes the input", async () => {
    using blocked = openToolStage({
      answer: allowAll,
      args: ["--settings", hooks("PreToolUse", "echo Not today. >&2; exit 2")],
    });
    const denied = await blocked.call("Bash", { command: "touch a" });
    expect(denied.text).toContain("Not today.");
    expect(existsSync(blocked.at("a"))).toBe(false);
    const answer = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "touch b" },
      },
    };
    using changed = openToolStage({
      args: ["--settings", hooks("PreToolUse", `echo '${JSON.stringify(answer)}'`)],
    });
    expect((await changed.call("Bash", { command: "touch a" })).isError).toBe(false);
    expect(existsSync(changed.at("b"))).toBe(true);
  });

  test("[RA24] a command is not told model and mode when a session begins and ends", async () => {
    for (const event of ["SessionStart", "SessionEnd"]) {
      using stage = openToolStage({ args: ["--settings", hooks(event, "cat > told.json")] });
      await stage.session.hooks.run(event, { source: "startup" });
      const told = JSON.parse(readFileSync(stage.at("told.json"), "utf8")) as object;
      expect(Object.keys(told)).toEqual([
        "session_id",
        "transcript_path",
        "cwd",
        "hook_event_name",
        "source",
      ]);
    }
  });

  test("[RA24] a hook gets the event on its stdin, and is killed with its children if it does not end", async () => {
    using stage = openToolStage({
      answer: allowAll,
      args: [
        "--settings",
        hooks("PreToolUse", "cat > told.json; sleep 1000 & echo $! > pid; wait", { timeout: 2 }),
      ],
    });
    expect((await stage.call("Bash", { command: "echo on" })).text).toBe("on");
    const told = JSON.parse(readFileSync(stage.at("told.json"), "utf8")) as { tool_name: string };
    expect(told.tool_name).toBe("Bash");
    const pid = Number(readFileSync(stage.at("pid"), "utf8"));
    const isAlive = () => {
      try {
        return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    await until(() => !isAlive());
  });
});

const server = `
const answers = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "greet", inputSchema: { type: "object", properties: { name: { type: "string" } } } }] },
};
export function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  const result = method === "tools/call"
    ? { content: [{ type: "text", text: "Hello, " + params.arguments.name }], isError: params.arguments.name === "nobody" }
    : answers[method];
  return { jsonrpc: "2.0", id, result };
}`;

describe("MCP servers", () => {
  test("[RA25] over stdio, tools are offered and called and failures are reported; a server that died is restarted when it is needed", async () => {
    using stage = openToolStage({ answer: allowAll });
    writeFileSync(stage.at("answer.mjs"), server);
    writeFileSync(
      stage.at("server.mjs"),
      `import { answer } from "./answer.mjs"; import { createInterface } from "node:readline";
       createInterface({ input: process.stdin }).on("line", (line) => {
         const said = answer(JSON.parse(line)); if (said) console.log(JSON.stringify(said)); });`,
    );
    const { mcp } = stage.session;
    void mcp.set({ greeter: { command: process.execPath, args: [stage.at("server.mjs")] } });
    await mcp.ready();
    expect(mcp.all.map(({ status, error }) => error ?? status)).toEqual(["connected"]);
    expect((await stage.call("mcp__greeter__greet", { name: "Ada" })).text).toContain("Hello, Ada");
    expect((await stage.call("mcp__greeter__greet", { name: "nobody" })).isError).toBe(true);
    // The server checks its own inputs.
    expect((await stage.call("mcp__greeter__greet", { name: 1 })).text).toContain("Hello, 1");
    const die = async () => {
      mcp.get("greeter")?.channel?.close();
      await mcp.get("greeter")?.channel?.closed;
    };
    const first = mcp.get("greeter")?.channel;
    await die();
    const both = ["Ada", "Bob"].map((name) => stage.call("mcp__greeter__greet", { name }));
    expect((await Promise.all(both)).map(({ text }) => text)).toEqual([
      expect.stringContaining("Hello, Ada"),
      expect.stringContaining("Hello, Bob"),
    ]);
    expect(mcp.get("greeter")?.channel).not.toBe(first);
    await die();
    writeFileSync(stage.at("server.mjs"), "process.exit(1);");
    const gone = await stage.call("mcp__greeter__greet", { name: "Ada" });
    expect(gone.text).toContain('MCP server "greeter" is not connected');
    expect(mcp.get("greeter")?.status).toBe("connected");
  });

  test("[RA26] over HTTP, the answer may come as JSON or as events", async () => {
    using stage = openToolStage({ answer: allowAll });
    writeFileSync(stage.at("answer.mjs"), server);
    const { answer } = (await import(stage.at("answer.mjs"))) as {
      answer: (message: unknown) => object | undefined;
    };
    const http = Bun.serve({
      port: 0,
      async fetch(request) {
        // This server sends no messages of its own.
        if (request.method === "GET") return new Response(null, { status: 405 });
        const message = (await request.json()) as { method: string };
        const said = answer(message);
        if (!said) return new Response(null, { status: 202 });
        if (message.method !== "tools/call") return Response.json(said);
        const events = `event: message\ndata: ${JSON.stringify(said)}\n\n`;
        return new Response(events, { headers: { "content-type": "text/event-stream" } });
      },
    });
    try {
      const { mcp } = stage.session;
      void mcp.set({ web: { type: "http", url: http.url.href } });
      await mcp.ready();
      expect((await stage.call("mcp__web__greet", { name: "Ada" })).text).toContain("Hello, Ada");
    } finally {
      await http.stop(true);
    }
  });
});

describe("MCP servers with the older transport", () => {
  test("[RA26] answers come over one stream of events; nothing is posted to another origin, and an ended stream is opened again", async () => {
    using stage = openToolStage({ answer: allowAll });
    writeFileSync(stage.at("answer.mjs"), server);
    const { answer } = (await import(`${stage.at("answer.mjs")}?sse`)) as {
      answer: (message: unknown) => object | undefined;
    };
    let endpoint = "/messages";
    let stream: ReadableStreamDefaultController<string> | undefined;
    const http = Bun.serve({
      port: 0,
      idleTimeout: 0,
      async fetch(request) {
        if (request.method === "GET") {
          const body = new ReadableStream<string>({
            start(controller) {
              stream = controller;
              controller.enqueue(`event: endpoint\r\ndata: ${endpoint}\r\n\r\n`);
            },
          });
          return new Response(body, { headers: { "content-type": "text/event-stream" } });
        }
        const said = answer(await request.json());
        if (said) stream?.enqueue(`event: message\ndata: ${JSON.stringify(said)}\n\n`);
        return new Response(null, { status: 202 });
      },
    });
    try {
      const { mcp } = stage.session;
      const config = { type: "sse", url: new URL("/sse", http.url).href };
      void mcp.set({ old: config });
      await mcp.ready();
      expect((await stage.call("mcp__old__greet", { name: "Ada" })).text).toContain("Hello, Ada");
      stream?.close();
      await mcp.get("old")?.channel?.closed;
      expect((await stage.call("mcp__old__greet", { name: "Bob" })).text).toContain("Hello, Bob");
      endpoint = "http://elsewhere.invalid/messages";
      void mcp.set({ sly: config });
      await mcp.ready();
      expect(mcp.get("sly")?.error).toContain("elsewhere");
    } finally {
      await http.stop(true);
    }
  });
});

describe("searching", () => {
  test("[RA27] Grep omits ignored and binary files, and can return context lines", async () => {
    using stage = openToolStage({
      environment: { PATH: "" },
      files: {
        ".git/HEAD": "needle",
        ".gitignore": "out/\n*.log\n!kept.log\n",
        "out/a.ts": "needle",
        "a.log": "needle",
        "kept.log": "needle",
        ".hidden/a.ts": "needle",
        "src/a.ts": "one\nneedle\nthree\nfour\nfive\nsix\nNeedle\n",
        "src/b.bin": "needle\0",
      },
    });
    const files = await stage.call("Grep", { pattern: "needle" });
    expect(files.text.split("\n").slice(1).toSorted()).toEqual([
      ".hidden/a.ts",
      "kept.log",
      "src/a.ts",
    ]);
    const lines = await stage.call("Grep", {
      pattern: "needle",
      path: "src",
      output_mode: "content",
      "-i": true,
      "-C": 1,
    });
    expect(lines.text).toBe(
      "src/a.ts-1-one\nsrc/a.ts:2:needle\nsrc/a.ts-3-three\n--\nsrc/a.ts-6-six\nsrc/a.ts:7:Needle",
    );
    const counted = await stage.call("Grep", { pattern: "e", glob: "*.ts", output_mode: "count" });
    expect(counted.structured["numMatches"]).toBe(6);
    expect((await stage.call("Grep", { pattern: "(" })).text).toContain("regex parse error");
    const behind = await stage.call("Grep", { pattern: "(?<=x)needle" });
    expect(behind.text).toContain("not supported");
    const upper = await stage.call("Grep", { pattern: "\\p{Lu}eedle", output_mode: "content" });
    expect(upper.text).toBe("src/a.ts:7:Needle");
    expect((await stage.call("Glob", { pattern: "**/*.ts" })).structured["numFiles"]).toBe(3);
  });
});

describe("web pages", () => {
  test("[RA31] a page of another site than the allowed one is named and not fetched", async () => {
    let fetched = 0;
    const web = Bun.serve({
      port: 0,
      fetch(request) {
        fetched++;
        const { pathname } = new URL(request.url);
        if (pathname === "/away") return Response.redirect("http://elsewhere.invalid/secret", 302);
        return new Response("<h1>Here</h1><script>x</script>");
      },
    });
    try {
      using stage = openToolStage({ answer: allowAll });
      const url = `http://127.0.0.1:${web.port}/away`;
      const moved = await stage.call("WebFetch", { url, prompt: "What is there?" });
      expect(moved.text).toContain("http://elsewhere.invalid/secret");
      expect(fetched).toBe(1);
      expect(stage.asked[0]?.permission_suggestions?.[0]).toMatchObject({
        rules: [{ toolName: "WebFetch", ruleContent: `domain:${new URL(url).hostname}` }],
      });
    } finally {
      await web.stop(true);
    }
  });
});

describe("other addresses", () => {
  test("[RA31] local files, data URLs, other schemes and names without a dot are not fetched", async () => {
    using stage = openToolStage({ answer: allowAll });
    const fetched = async (url: string) =>
      (await stage.call("WebFetch", { url, prompt: "What is there?" })).text;
    const none = ["file:///etc/hosts", "data:text/plain,x", "s3://a.b/c", "http://u:p@a.invalid/"];
    for (const url of none) expect(await fetched(url)).toBe("Invalid URL");
    for (const url of ["http://localhost:1/", "http://[::1]:1/"]) {
      expect(await fetched(url)).toContain("a dot in their name");
    }
  });
});
