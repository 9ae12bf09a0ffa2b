import { createSdkMcpServer, type Query, tool as sdkTool } from "@anthropic-ai/claude-agent-sdk";
import * as z from "zod";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

/** Creates a server with one resource. */
function shelf() {
  const nothing = sdkTool("nothing", "Does nothing", {}, () => Promise.resolve({ content: [] }));
  const server = createSdkMcpServer({ name: "shelf", version: "1.0.0", tools: [nothing] });
  server.instance.registerResource(
    "book",
    "book://one",
    { description: "A book", mimeType: "text/plain" },
    ({ href: uri }) =>
      Promise.resolve({ contents: [{ uri, mimeType: "text/plain", text: "Once upon a time" }] }),
  );
  return server;
}

const greeter = (name = "greeter") =>
  createSdkMcpServer({
    name,
    version: "1.0.0",
    tools: [
      sdkTool("greet", "Greets someone", { name: z.string() }, ({ name: who }) =>
        Promise.resolve({ content: [{ type: "text", text: `Hello, ${who}!` }] }),
      ),
      sdkTool(
        "count",
        "Counts",
        { to: z.number(), by: z.array(z.number()).optional(), loud: z.boolean().optional() },
        (counted) =>
          Promise.resolve({ content: [{ type: "text", text: JSON.stringify(counted) }] }),
      ),
      sdkTool("fail", "Always fails", {}, () => Promise.reject(new Error("No voice."))),
    ],
  });

/** Creates a server that never answers a call. */
function silent(onCall = () => {}) {
  const wait = sdkTool("wait", "Waits", {}, () => new Promise<never>(onCall));
  return createSdkMcpServer({ name: "silent", version: "1.0.0", tools: [wait] });
}

/** Creates a server that lists its tools only when it is told to. */
function hesitant(until: Promise<void>) {
  const { instance, ...rest } = greeter();
  const connect = instance.connect.bind(instance);
  instance.connect = async (transport) => {
    await connect(transport);
    const { onmessage: hear } = transport;
    const onmessage: typeof hear = (message, extra) => {
      const take = () => hear?.(message, extra);
      if ("method" in message && message.method === "tools/list") void until.then(take);
      else take();
    };
    Object.assign(transport, { onmessage });
  };
  return { ...rest, instance };
}

/** The ways in which a host can remove its own server. */
const partings: Readonly<Record<string, (query: Query) => Promise<unknown>>> = {
  "taken away": (query) => query.setMcpServers({}),
  "switched off": (query) => query.toggleMcpServer("silent", false),
};

/** MCP servers inside the host. */
export const hostServers: Story[] = [
  {
    name: "an in-process MCP server",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, mcpServers: { greeter: greeter() } });
      await talk.turn(
        prompt(
          "Greet",
          tool("mcp__greeter__greet", { name: "Ada" }),
          next,
          tool("mcp__greeter__fail", {}),
          say("Greeted."),
        ),
      );
      stage.note("status", await talk.query.mcpServerStatus());
    },
  },
  {
    name: "resources of an MCP server",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, mcpServers: { shelf: shelf() } });
      await talk.turn(
        prompt(
          "Read to me",
          tool("ListMcpResourcesTool", {}),
          next,
          tool("ReadMcpResourceTool", { server: "shelf", uri: "book://one" }),
          next,
          tool("ReadMcpResourceTool", { server: "nowhere", uri: "book://one" }),
          say("So it went."),
        ),
      );
    },
  },
  {
    name: "MCP servers set in mid-session",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.idle(1);
      stage.note("set", await talk.query.setMcpServers({ greeter: greeter() }));
      // The messages are initialize, initialized, and the list of tools.
      await talk.asked("mcp_message", 3);
      await talk.turn(
        prompt("Greet", tool("mcp__greeter__greet", { name: "Ada" }), say("Greeted.")),
      );
      await talk.idle(2);
      stage.note("unset", await talk.query.setMcpServers({}));
    },
  },
  {
    name: "an MCP server refuses what it does not want, and numbers may be texts",
    async play(stage) {
      const talk = stage.open({ mcpServers: { greeter: greeter() }, canUseTool: allow });
      const inputs = [
        { to: "5", by: "[1, 2]", loud: "true" },
        { to: "five" },
        { by: [1] },
        { to: 1, by: ["1"], more: 1 },
      ];
      for (const input of inputs) {
        await talk.turn(prompt("Count", tool("mcp__greeter__count", input), next, say("Done.")));
      }
    },
  },
  {
    name: "a server inside the host that is silent: late, and interrupted",
    async play(stage) {
      const allowedTools = ["mcp__silent"];
      const late = stage.open({
        allowedTools,
        mcpServers: { silent: silent() },
        env: { MCP_TOOL_TIMEOUT: "2000" },
      });
      await late.turn(prompt("Wait", tool("mcp__silent__wait", {}), say("It was late.")));
      await late.end();
      const talk = stage.open({ allowedTools, mcpServers: { silent: silent() } });
      talk.say(prompt("Wait", tool("mcp__silent__wait", {}), say("It came.")));
      await talk.until(({ type }) => type === "assistant");
      await talk.query.interrupt();
      await talk.result();
    },
  },
  {
    name: "a server inside the host is called before it has shown what it offers",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const greet = tool("mcp__greeter__greet", { name: "Ada" });
      const wait = bash("touch begun; until [ -e go ]; do sleep 0.05; done", "Wait");
      talk.say(prompt("Greet", wait, next, greet, next, say("Greeted.")));
      await stage.exists("begun");
      const called = talk.said("assistant", 2);
      await talk.query.setMcpServers({ greeter: hesitant(called) });
      await talk.asked("mcp_message", 3);
      stage.write("go", "");
      await talk.result();
    },
  },
  {
    name: "a server inside the host is taken away, or switched off, while it is called",
    async play(stage) {
      for (const [how, part] of Object.entries(partings)) {
        let onCall = () => {};
        const called = new Promise<void>((resolve) => (onCall = resolve));
        const mcpServers = { silent: silent(onCall) };
        const talk = stage.open({ allowedTools: ["mcp__silent"], mcpServers });
        talk.say(prompt("Wait", tool("mcp__silent__wait", {}), next, say("It is gone.")));
        await called;
        stage.note(how, await part(talk.query));
        await talk.result();
        await talk.end();
      }
    },
  },
  {
    name: "a server inside the host is taken away, or switched off, while its call is asked about",
    async play(stage) {
      for (const part of Object.values(partings)) {
        const talk = stage.open({
          mcpServers: { silent: silent() },
          async canUseTool(_tool, input) {
            await part(talk.query);
            return { behavior: "allow", updatedInput: input };
          },
        });
        await talk.turn(prompt("Wait", tool("mcp__silent__wait", {}), next, say("It is gone.")));
        await talk.end();
      }
    },
  },
];
