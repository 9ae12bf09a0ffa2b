import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import type { AgentVersion } from "@signalbox/testing/agent-stage";
import { allow, bash, call, oneTurn, type Stories, untilWords } from "../story.ts";

const notebook = {
  cells: [
    {
      cell_type: "code",
      id: "a1",
      metadata: {},
      execution_count: null,
      outputs: [],
      source: ["1 + 1"],
    },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

function greeter(): McpServer {
  const server = new McpServer({ name: "greeter", version: "1" });
  const takes = { inputSchema: { name: z.string() } };
  server.registerTool("greet", { description: "Greets someone", ...takes }, ({ name }) => ({
    content: [{ type: "text", text: `Hello, ${name}!` }],
  }));
  server.registerTool("fail", { description: "Always fails" }, () => {
    throw new Error("The greeter has lost its voice.");
  });
  return server;
}

/** 2.1.325 keeps what a command prints in a file, 2.1.7 hands it over on demand. */
function backgroundShell(version: AgentVersion): string {
  const id = "{{seen with ID: (\\w+)}}";
  const look =
    version === "2.1.7"
      ? call("TaskOutput", { task_id: id, block: false, timeout: 1000 })
      : call("Read", { file_path: "{{seen (/\\S+\\.output)}}" });
  const stop =
    version === "2.1.7" ? call("KillShell", { shell_id: id }) : call("TaskStop", { task_id: id });
  return `
${bash("echo started; sleep 60", "Start and sleep", { run_in_background: true })}
${bash("sleep 1", "Give it a moment")}
next
${look}
next
${stop}
say I have stopped it.`;
}

const todo = (content: string, activeForm: string, status: string) => {
  return { content, activeForm, status };
};
const todos = {
  "2.1.7": `
${call("TodoWrite", { todos: [todo("Look around", "Looking around", "in_progress"), todo("Write it down", "Writing it down", "pending")] })}
next
${call("TodoWrite", { todos: [todo("Look around", "Looking around", "completed"), todo("Write it down", "Writing it down", "in_progress")] })}
say One down, one to go.`,
  "2.1.325": `
${call("TaskCreate", { subject: "Look around", description: "See what is in the folder", activeForm: "Looking around" })}
${call("TaskCreate", { subject: "Write it down", description: "Write down what there is", activeForm: "Writing it down" })}
next
${call("TaskUpdate", { taskId: "1", status: "in_progress" })}
next
${call("TaskUpdate", { taskId: "1", status: "completed" })}
${call("TaskUpdate", { taskId: "2", status: "in_progress", addBlockedBy: ["1"] })}
next
${call("TaskList", {})}
${call("TaskGet", { taskId: "2" })}
next
${call("TaskUpdate", { taskId: "2", status: "deleted" })}
say One down, and the other is not needed.`,
};

/** One story for every kind of tool. */
export const tools: Stories = {
  "parallel-tools": oneTurn(
    "Three things at once",
    `
say Four things at once.
${bash("echo one", "Say one")}
${bash("touch two.txt", "Make two")}
${call("Read", { file_path: "missing.txt" })}
${bash("echo four >&2; exit 3", "Fail with four")}
say Two have worked, two have not.`,
  ),
  "background-shell": oneTurn("Start the server, look, and stop it", backgroundShell),
  "background-shell-reports": untilWords("Wait in the background", "The background command has", {
    version: "2.1.325",
    script: `
${bash("sleep 1; echo ready", "Wait a moment", { run_in_background: true })}
say It runs in the background as {{seen with ID: (\\w+)}}; I go on.
next
say The background command has ended.`,
  }),
  todos: {
    script: (version) => todos[version],
    async play(stage) {
      // 2.1.325 offers its list only when it is told to.
      const environment = { ...stage.environment, CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };
      const talk = await stage.start({ environment }, { onAsk: allow });
      await talk.turn("Make a list of what to do");
    },
  },
  "edit-write-read-notebook": oneTurn(
    "Write a poem and a notebook",
    `
${call("Write", { file_path: "poem.txt", content: "Roses are red,\nviolets are green.\n" })}
next
${call("Read", { file_path: "poem.txt" })}
next
${call("Edit", { file_path: "poem.txt", old_string: "green", new_string: "blue" })}
next
${call("Edit", { file_path: "poem.txt", old_string: "yellow", new_string: "blue" })}
next
${call("Write", { file_path: "sums.ipynb", content: JSON.stringify(notebook) })}
${bash("pwd", "Show the folder's path")}
next
${call("Read", { file_path: "sums.ipynb" })}
next
${call("NotebookEdit", { notebook_path: "{{seen ^(/.*)}}/sums.ipynb", cell_id: "a1", new_source: "2 + 2", edit_mode: "replace" })}
say The second line is right now, and the cell says 2 + 2.`,
  ),
  search: {
    version: "2.1.7",
    script: `
${call("Glob", { pattern: "**/*.md" })}
${call("Grep", { pattern: "an+a", output_mode: "content" })}
${call("Grep", { pattern: "nothing like it" })}
say Two files, and one line.`,
    async play(stage) {
      stage.write("one.md", "# One\n");
      stage.write("docs/two.md", "# Two\n");
      stage.write("fruit.txt", "apple\nbanana\ncherry\n");
      await (await stage.start()).turn("Find the documents");
    },
  },
  web: oneTurn(
    "Look it up",
    `
${call("WebFetch", { url: "https://example.com/", prompt: "What is on this page?" })}
next
${call("WebSearch", { query: "how do signal boxes work" })}
say That is all I know about it.`,
  ),
  "mcp-tool": {
    script: `
${call("mcp__greeter__greet", { name: "Ada" })}
next
${call("mcp__greeter__fail", {})}
say Ada was greeted; the other tool failed.`,
    async play(stage) {
      const options = { onAsk: allow, mcpServers: { greeter: greeter() } };
      const talk = await stage.start({}, options);
      await talk.turn("Greet Ada");
      await talk.host.mcpStatus();
    },
  },
  "unknown-tool": oneTurn(
    "Beam me up",
    `${call("Teleport", { to: "the moon" })}\nsay Then I stay here.`,
  ),
  skill: {
    script: `${call("Skill", { skill: "greeting" })}\nsay I have read the skill, and follow it: good day!`,
    async play(stage) {
      const head = "---\nname: greeting\ndescription: How we greet people\n---\n";
      stage.write(".claude/skills/greeting/SKILL.md", `${head}\nSay "good day".\n`);
      await (await stage.start({}, { onAsk: allow })).turn("Greet me");
    },
  },
  worktree: {
    version: "2.1.325",
    script: `
${call("EnterWorktree", { name: "side-path" })}
say I work beside the main copy now.
${bash("pwd", "Show the folder")}
next
${call("ExitWorktree", { action: "remove" })}
say I am back, and the second copy is gone.`,
    async play(stage) {
      stage.commit();
      await (await stage.start({}, { onAsk: allow })).turn("Work beside the main copy");
    },
  },
  schedule: oneTurn(
    "Make an appointment",
    `
${call("CronCreate", { cron: "0 9 1 1 *", prompt: "Happy new year!", recurring: false })}
next
${call("CronList", {})}
next
${call("CronDelete", { id: "{{seen ([0-9a-f]{8})}}" })}
next
${call("ScheduleWakeup", { delaySeconds: 600, reason: "Look again in ten minutes", prompt: "/loop look", noop: true })}
next
${call("ScheduleWakeup", { stop: true })}
say I have made appointments and cancelled them.`,
    "2.1.325",
  ),
  monitor: untilWords("Listen to the clock", "I heard the last of it", {
    version: "2.1.325",
    script: `
${call("Monitor", { description: "two ticks", timeout_ms: 10_000, command: "sleep 0.5; echo tick; sleep 2; echo tock" })}
say I listen.
next
say I heard something.
next
say I heard the last of it.`,
  }),
};
