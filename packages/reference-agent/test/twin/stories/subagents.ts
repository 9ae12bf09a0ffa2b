import type { CanUseTool, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Conversation, type Stage, type Story } from "../story.ts";

const kind = (name: string, more: string): string =>
  `---\nname: ${name}\ndescription: For tests\n${more}\n---\nYou are ${name}.`;
const send = (type: string, description: string, ...lines: string[]): string =>
  prompt("Send them", tool("Task", errand(type, description, ...lines)), say("They are back."));
const away = (type: string, description: string, ...lines: string[]): string =>
  tool("Task", { ...errand(type, description, ...lines), run_in_background: true });

const read = (file_path: string): string => tool("Read", { file_path });

/** Returns the first request that begins with these words, as text. */
function requestFor({ requests }: Stage, words: string): string {
  const isAbout = (one: unknown) => {
    const { messages } = one as { messages: readonly unknown[] };
    return messages.length < 3 && JSON.stringify(messages).includes(`"${words}\\n`);
  };
  return JSON.stringify(requests.find(isAbout) ?? {});
}

/** Returns the last request of a subagent with this prompt, as text. */
function lastRequest({ requests }: Stage, words: string): string {
  const texts = requests.map((one) => JSON.stringify((one as { messages: unknown }).messages));
  return texts.findLast((text) => text.includes(`"${words}\\n`)) ?? "";
}

/** Returns the effort of the request that begins with these words. */
function effortFor(stage: Stage, words: string): unknown {
  return /"effort":"(\w+)"/.exec(requestFor(stage, words))?.[1];
}

const GUARDS = `hooks:
  PreToolUse:
    - matcher: "Bash"
      hooks:
        - type: command
          command: "echo Not here. >&2; exit 2"
  Stop:
  - hooks:
    - type: command
      command: cat >> ended.ndjson`;

/** Returns the id of the last task. */
function lastTask({ messages }: Conversation): string {
  const begun = messages.filter((message) => isStart(message));
  return begun.at(-1)?.task_id ?? "";
}

const isStart = (message: SDKMessage) =>
  message.type === "system" && message.subtype === "task_started";

/** What a definition says about a kind, and subagents that end in unusual ways. */
export const subagents: Story[] = [
  {
    name: "kinds that think more or less, and have few turns",
    files: {
      ".claude/agents/hard.md": kind("hard", "effort: high"),
      ".claude/agents/short.md": kind("short", "maxTurns: 2"),
    },
    async play(stage) {
      const talk = stage.open({
        model: "opus",
        allowedTools: ["Bash"],
        agents: {
          light: { description: "For tests", prompt: "You are light.", effort: "low" },
          once: { description: "For tests", prompt: "You are once.", maxTurns: 1 },
        },
      });
      await talk.turn(send("hard", "Ponder", say("I have pondered.")));
      stage.note("effort of a file", effortFor(stage, "Ponder"));
      await talk.turn(send("light", "Glance", say("I have glanced.")));
      stage.note("effort of the host", effortFor(stage, "Glance"));
      const two = [bash("echo one", "One"), next, say("I have begun."), bash("echo two", "Two")];
      await talk.turn(send("short", "Go on", ...two, next, say("It went on.")));
      await talk.turn(send("once", "Begin", bash("echo one", "One"), say("It went on.")));
      const sent = away(
        "once",
        "Begin",
        "::wait 2000",
        bash("echo one", "One"),
        say("It went on."),
      );
      await talk.turn(prompt("Send it away", sent, say("It is away."), next, say("It is back.")));
      await talk.end();
    },
  },
  {
    name: "a subagent that says nothing is asked once more",
    script: "say Now I speak.", // This answers any request.
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      await talk.turn(send("general-purpose", "Be silent", "::think Hm."));
      const sent = away("general-purpose", "Be silent far away", "::wait 2000", "::think Hm.");
      await talk.turn(prompt("Send it away", sent, say("It is away."), next, say("It is back.")));
      await talk.end();
    },
  },
  {
    name: "a subagent in the background that the host stops",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const lines = [
        away("general-purpose", "Wait", bash("touch begun; sleep 60", "Wait")),
        next,
        bash("while [ ! -e begun ]; do sleep 0.05; done", "Await it"),
        say("It is under way."),
        next,
        say("So it was stopped."),
      ];
      await talk.turn(prompt("Begin", ...lines));
      await talk.query.stopTask(lastTask(talk));
      stage.note("told", await talk.result());
      await talk.turn(prompt("Go on", say("I go on.")));
    },
  },
  {
    name: "a kind that nobody knows, and what a subagent is doing",
    files: { "a.txt": "a\n", "home/h.txt": "h\n", "sub/b.txt": "b\n", "n.ipynb": "{}" },
    async play(stage) {
      const { folder } = stage;
      const home = folder.replace(/work$/, "home");
      const talk = stage.open({
        allowedTools: ["Bash", "Write", "Edit"],
        additionalDirectories: [home],
      });
      await talk.turn(send("nobody", "Do it", say("Done.")));
      const calls = [
        ...["a.txt", "../home/h.txt", "sub/b.txt"].map((name) => read(`${folder}/${name}`)),
        read(`${home}/h.txt`),
        read("sub/b.txt"),
        tool("Write", { file_path: `${folder}/w.txt`, content: "1\n2\n" }),
        tool("Edit", { file_path: `${folder}/w.txt`, old_string: "1\n2", new_string: "3" }),
        tool("Edit", { file_path: "w.txt", old_string: "nothing", new_string: "" }),
        tool("NotebookEdit", { notebook_path: `${folder}/n.ipynb`, new_source: "x\ny" }),
        tool("TaskStop", { task_id: "nobody" }),
        tool("Task", errand("general-purpose", "Look", read("a.txt"), say("Seen."))),
      ];
      const lines = calls.flatMap((call) => [call, next]);
      await talk.turn(send("general-purpose", "Do much", ...lines, say("Done.")));
      await talk.turn(send("general-purpose", "Look", read("a.txt"), say("Seen.")));
    },
  },
  {
    name: "calls of one message begin before the next is told",
    async play(stage) {
      const canUseTool: CanUseTool = async (...call) => {
        await talk.said("assistant", 5); // The next call is reported while this one is asked about.
        return allow(...call);
      };
      const talk = stage.open({ canUseTool });
      const slow = (description: string, ms: number) =>
        tool("Task", errand("general-purpose", description, `::wait ${ms}`, say("Done.")));
      const both = [slow("First", 1500), slow("Second", 4500)];
      await talk.turn(prompt("Send both", ...both, say("They are back.")));
      const touches = [bash("touch one", "Touch one"), bash("touch two", "Touch two")];
      await talk.turn(prompt("Touch both", ...touches, say("They are there.")));
    },
  },
  {
    name: "what rules want to be asked about",
    files: {
      "a.txt": "a\n",
      ".claude/settings.json": JSON.stringify({
        permissions: { ask: ["Agent", "Read", "Write", "Edit(./kept/**)", "Bash(ls:*)"] },
      }),
      "home/.claude/settings.json": JSON.stringify({ permissions: { ask: ["Bash"] } }),
    },
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const calls = [
        tool("Task", errand("general-purpose", "Look", say("Seen."))),
        read("a.txt"),
        read("/etc/hostname"),
        tool("Write", { file_path: "b.txt", content: "b\n" }),
        tool("Write", { file_path: "kept/b.txt", content: "b\n" }),
        bash("pwd", "Look"),
        bash("ls", "List"),
        bash("touch c.txt", "Touch"),
      ];
      const lines = calls.flatMap((call) => [call, next]);
      await talk.turn(prompt("Do it", ...lines, say("Done.")));
    },
  },
  {
    name: "a subagent whose model is asked again",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      await talk.turn(send("general-purpose", "Look", "::error 500 x1", say("Seen.")));
      const sent = away("general-purpose", "Look", "::wait 2000", "::error 500 x1", say("Seen."));
      await talk.turn(prompt("Send it away", sent, say("It is away."), next, say("It is back.")));
      await talk.end();
      const answers = talk.messages.filter((message) => message.type === "assistant");
      const isProgress = (message: SDKMessage) => message.type === "tool_progress";
      for (const { tool_use_id, ...progress } of talk.messages.filter(isProgress)) {
        const at = answers.findIndex(({ message }) => tool_use_id === `agent_${message.id}`);
        stage.note(`told with answer ${at}`, progress);
      }
    },
  },
  {
    name: "kinds with skills, a memory, hooks and little to read",
    files: {
      "CLAUDE.md": "Be kind.\n",
      ".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets\n---\nGreet them.\n",
      ".claude/agents/recalls.md": kind("recalls", "memory: project\ntools: Bash"),
      ".claude/agents/apart.md": kind("apart", "background: true\nomitClaudeMd: true"),
      "home/.claude/agents/guarded.md": kind("guarded", GUARDS),
      ".claude/agent-memory/recalls/MEMORY.md": "The sky is blue.\n",
    },
    async play(stage) {
      const skilled = { description: "For tests", prompt: "You greet.", skills: ["greet", "none"] };
      const talk = stage.open({ allowedTools: ["Bash"], agents: { skilled } });
      const sees = (words: string, what: string) =>
        stage.note(`${words} sees ${what}`, requestFor(stage, words).includes(what));
      await talk.turn(send("skilled", "Meet them", say("Hello.")));
      sees("Meet them", "Greet them.");
      const note = `${stage.folder}/.claude/agent-memory/recalls/note.md`;
      const calls = [
        tool("Write", { file_path: note, content: "Blue.\n" }),
        next,
        tool("Edit", { file_path: note, old_string: "Blue", new_string: "Grey" }),
      ];
      await talk.turn(send("recalls", "Recall it", ...calls, next, say("Noted.")));
      sees("Recall it", "The sky is blue.");
      sees("Recall it", "Be kind.");
      const lines = [bash("touch made", "Touch it"), next, read("CLAUDE.md"), say("I tried.")];
      await talk.turn(send("guarded", "Try it", ...lines));
      const apart = errand("apart", "Be alone", "::wait 1500", say("I was."));
      const sent = tool("Task", apart); // The subagent should run in the foreground, and does not.
      await talk.turn(prompt("Send it", sent, say("It is away."), next, say("It is back.")));
      await talk.end();
      sees("Be alone", "Be kind.");
      const ends = stage.read("ended.ndjson").trim().split("\n");
      for (const end of ends)
        stage.note("told of its end", Object.keys(JSON.parse(end)).toSorted());
      stage.write("ended.ndjson", "");
    },
  },
  {
    name: "led by an agent that has a prompt of its own",
    async play(stage) {
      const agents = {
        first: {
          description: "For tests",
          prompt: "You begin.",
          initialPrompt: prompt("Begin", say("I have begun.")),
        },
      };
      const talk = stage.open({ agents, agent: "first" });
      talk.say(prompt("Go on", say("I go on.")));
      await talk.result();
      await talk.result();
      await talk.end();
    },
  },
  {
    name: "a subagent is told more while it works, and sent on after its end",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const id = "{{seen agentId: (\\w+)}}";
      const more = (words: string, ...lines: string[]) =>
        tool("SendMessage", { to: id, summary: "go on", message: prompt(words, ...lines) });
      const first = errand("general-purpose", "Count", bash("echo one", "One"), say("One."));
      const lines = [
        tool("Task", first),
        next,
        more("Go on", "::wait 3000", bash("echo two", "Two"), say("Two.")),
        next,
        tool("SendMessage", { to: "nobody", message: "Hello" }),
        say("They go on."),
        next,
        say("So they have counted."),
      ];
      await talk.turn(prompt("Have it counted", ...lines));
      await talk.result();
      const wait = bash("touch begun; while [ ! -e go ]; do sleep 0.05; done", "Wait");
      const others = [
        away("general-purpose", "Wait", wait, next, say("I have waited.")),
        next,
        bash("while [ ! -e begun ]; do sleep 0.05; done", "Await it"),
        next,
        more("Hurry"),
        next,
        bash("touch go; sleep 3", "Let it go"),
        say("It goes on."),
        next,
        say("It is back."),
      ];
      await talk.turn(prompt("Send another", ...others));
      await talk.end();
    },
  },
  {
    name: "commands that subagents leave in the background report to them",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const begin = (name: string) =>
        bash(`while [ ! -e ${name} ]; do sleep 0.05; done`, "Wait", { run_in_background: true });
      const lines = [begin("one"), next, bash("touch one; sleep 2", "Let it end"), next];
      await talk.turn(send("general-purpose", "Wait", ...lines, bash("pwd", "Look"), say("Done.")));
      stage.note("told", lastRequest(stage, "Wait").includes("<status>completed</status>"));
      await talk.turn(send("general-purpose", "Leave it", begin("never"), say("I leave it.")));
    },
  },
];
