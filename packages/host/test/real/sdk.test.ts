import { dotPicture } from "@signalbox/testing/programs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Ask, type Decision, sdkDriver, stdioDriver } from "@signalbox/host";
import { toRunEnd } from "@signalbox/host/launch";
import * as z from "zod";
import { openStage } from "@signalbox/testing/agent-stage";

setDefaultTimeout(180_000);

const call = (tool: string, input: object) => `::tool ${tool} ${JSON.stringify(input)}`;
const color = {
  question: "Which color?",
  header: "Pick",
  multiSelect: false,
  options: ["Red", "Blue"].map((label) => ({ label, description: label })),
};

function greeter(): McpServer {
  const server = new McpServer({ name: "greeter", version: "1" });
  server.registerTool("greet", { inputSchema: { name: z.string() } }, ({ name }) => ({
    content: [{ type: "text", text: `Hello, ${name}!` }],
  }));
  return server;
}

test("[DR2] [DR3] through the Agent SDK: prompts, hooks, permissions, questions, in-process MCP, images and requests are what they are over stdio", async () => {
  await using stage = await openStage("", sdkDriver());
  const asks: Ask[] = [];
  const [open, withdrawn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onAsk = (ask: Ask, signal: AbortSignal): Decision | Promise<Decision> => {
    asks.push(ask);
    if (JSON.stringify(ask).includes("never.txt")) {
      signal.addEventListener("abort", () => withdrawn.resolve());
      open.resolve();
      return withdrawn.promise.then(() => ({ behavior: "allow" }));
    }
    if (ask.kind === "question") return { behavior: "answer", answers: { "Which color?": "Blue" } };
    return { behavior: "allow" };
  };
  const talk = await stage.start(
    "2.1.325",
    { allowedTools: ["Bash(touch *)"] }, // `supervised` asks nevertheless: from within a hook
    { policy: "supervised", onAsk, mcpServers: { greeter: greeter() } },
  );
  expect(talk.host.run).toMatchObject({ driver: "sdk", agent: { version: "2.1.325" } });
  const { uuid } = await talk.host.prompt({ text: "::say One\u2028two." });
  expect((await talk.result()).result).toBe("One\u2028two.");
  expect(talk.all("user").find((user) => user.isReplay)?.uuid).toBe(uuid);
  expect(talk.all("stream_event").length).toBeGreaterThan(0);

  await talk.turn(
    [
      call("Bash", { command: "touch made.txt" }),
      call("mcp__greeter__greet", { name: "Ada" }),
      call("AskUserQuestion", { questions: [color] }),
      "::say done",
    ].join("\n"),
  );
  expect(asks.map((ask) => ("tool" in ask ? ask.tool : ask.kind))).toEqual([
    "Bash",
    "mcp__greeter__greet",
    "AskUserQuestion",
  ]);
  expect(stage.has("made.txt")).toBe(true);
  expect(talk.toolResults).toContain("Hello, Ada!");
  expect(talk.toolResults).toContain("Blue");
  // The agent had said what it wants to do before it asked whether it may.
  const raws = talk.lines.map((line) => line.raw);
  const said = raws.findIndex((raw) => raw.includes('"name":"mcp__greeter__greet"'));
  const asked = raws.findIndex((raw) => raw.includes('"tool_name":"mcp__greeter__greet"'));
  expect(asked).toBeGreaterThan(said);
  expect(said).toBeGreaterThan(0);
  expect(talk.lines.filter((line) => talk.host.getLineRole(line) === "stray")).toEqual([]);
  expect(talk.lines.filter((line) => line.kind === "drifted")).toEqual([]);

  const data = readFileSync(dotPicture);
  await talk.host.prompt({ text: "::say I see a dot.", images: [{ data, name: "dot.png" }] });
  await talk.result();
  expect(JSON.stringify(stage.model.requests)).toContain('"media_type":"image/png"');
  const { mcpServers } = await talk.host.mcpStatus();
  expect(mcpServers).toMatchObject([{ name: "greeter", status: "connected" }]);
  expect((await talk.host.contextUsage()).totalTokens).toBeNumber();
  await talk.host.setModel("claude-other");
  const unknown = await talk.host.request("no_such_thing").catch(String);
  expect(unknown).toContain("no_such_thing");

  await talk.host.prompt({ text: call("Bash", { command: "touch never.txt" }) });
  await open.promise;
  await talk.host.interrupt();
  await withdrawn.promise;
  expect((await talk.result()).subtype).not.toBe("success");
  expect(stage.has("never.txt")).toBe(false);
  expect(talk.host.run.pid).toBeNumber();
  expect(await talk.host.stop()).toMatchObject({ kind: "stopped" });
});

test("[DR4] a conversation goes on with the other driver, and back; a run of the SDK's that is killed, or cannot resume, says so", async () => {
  await using overSdk = await openStage("", sdkDriver());
  const first = await overSdk.start("2.1.325");
  await first.turn("::say My name is Ada.");
  const id = first.system("init")[0]?.session_id ?? "";
  process.kill(first.host.run.pid ?? 0, "SIGKILL");
  expect(await first.closed()).toMatchObject({ kind: "crashed", signal: "SIGKILL" });

  const resume = { resume: { id } };
  const second = await overSdk.start("2.1.325", resume, {}, stdioDriver());
  await second.turn("::say Over pipes.");
  await second.host.stop();
  const third = await overSdk.start("2.1.325", resume);
  await third.turn("::say And over the SDK again.");
  const heard = JSON.stringify(overSdk.model.requests.at(-1));
  for (const words of ["My name is Ada.", "Over pipes."]) expect(heard).toContain(words);
  expect(third.system("init")[0]?.session_id).toBe(id);

  const nobody = { resume: { id: crypto.randomUUID() } };
  const failure: unknown = await overSdk
    .start("2.1.325", nobody)
    .then((talk) => talk.turn("::say hello"))
    .catch((why: unknown) => why);
  const told = toRunEnd(failure)?.kind ?? String(failure);
  expect(told).toContain("resume-failed");
});
