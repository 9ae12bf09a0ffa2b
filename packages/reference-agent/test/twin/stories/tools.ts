import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { isOfTime } from "../normalize.ts";
import { createPdf } from "../pdf.ts";
import { allow, inOneTurn, type Story } from "../story.ts";

const touching = [bash("touch it.txt", "Touch"), next, say("Touched.")].join("\n");

/** Each tool, called by the same model. */
export const tools: Story[] = [
  inOneTurn("several tools at once", { canUseTool: allow }, (stage) => [
    "Four things",
    say("At once."),
    bash("echo one", "Say one"),
    bash("touch two.txt", "Make two"),
    tool("Read", { file_path: `${stage.folder}/missing.txt` }),
    bash("echo four >&2; exit 3", "Fail with four"),
    say("So it went."),
  ]),
  inOneTurn("write, read, edit", { canUseTool: allow }, (stage) => {
    const path = `${stage.folder}/poem.txt`;
    return [
      "A poem",
      tool("Write", { file_path: path, content: "Roses are red,\nviolets are green.\n" }),
      next,
      tool("Read", { file_path: path }),
      next,
      tool("Edit", { file_path: path, old_string: "green", new_string: "blue" }),
      next,
      tool("Edit", { file_path: path, old_string: "yellow", new_string: "blue" }),
      next,
      tool("Edit", { file_path: path, old_string: "s", new_string: "z", replace_all: true }),
      say("So it went."),
    ];
  }),
  inOneTurn(
    "a tool that does not exist, and input that does not fit",
    { canUseTool: allow },
    () => [
      "Try",
      tool("Nonsense", { a: 1 }),
      next,
      tool("Read", { path: "x" }),
      say("So it went."),
    ],
  ),
  inOneTurn("a command in the background", { canUseTool: allow }, () => {
    const id = "{{seen with ID: (\\w+)}}";
    return [
      "Start it",
      bash("sleep 60", "Sleep", { run_in_background: true }),
      next,
      tool("TaskStop", { task_id: id }),
      say("I have stopped it."),
    ];
  }),
  inOneTurn("a command that takes too long", { canUseTool: allow }, () => [
    "Wait",
    bash("sleep 3 && sleep 90 && echo late", "Wait", { timeout: 1000 }),
    say("So it went."),
  ]),
  {
    name: "commands that take their time",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      await talk.turn(
        prompt(
          "Wait",
          bash("for n in 1 2 3 4 5; do sleep 1; done", "Count to five"),
          next,
          bash("for n in 1 2 3 4 5; do sleep 1; done; exit 3", "Fail at five"),
          say("So it went."),
        ),
      );
      stage.note(
        "told",
        talk.messages.filter((one) => isOfTime(one as never)),
      );
    },
  },
  inOneTurn(
    "a command that goes on in the background when its time is over",
    { allowedTools: ["Bash"] },
    () => {
      const id = "{{seen background \\(ID: (\\w+)\\)}}";
      return [
        "Wait",
        bash("echo begun; while true; do sleep 1; done", "Go on", { timeout: 1000 }),
        next,
        tool("TaskStop", { task_id: id }),
        say("I have stopped it."),
      ];
    },
  ),
  {
    name: "an answer by a schema",
    async play(stage) {
      const schema = {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
        additionalProperties: false,
      };
      const talk = stage.open({ outputFormat: { type: "json_schema", schema } });
      await talk.turn(
        prompt(
          "Who?",
          tool("StructuredOutput", { wrong: 1 }),
          next,
          tool("StructuredOutput", { name: "Ada" }),
          say("That is all."),
        ),
      );
      const never = Array.from({ length: 6 }, () => [tool("StructuredOutput", { name: 7 }), next]);
      await talk.turn(prompt("Who else?", ...never.flat(), say("I do not know.")));
    },
  },
  {
    name: "a subagent",
    async play(stage) {
      const talk = stage.open({
        canUseTool: allow,
        agents: { counter: { description: "Counts files", prompt: "You count.", tools: ["Bash"] } },
      });
      const note = bash("touch counted.txt", "Note it");
      const task = errand("counter", "Count", note, say("I have counted."));
      await talk.turn(prompt("Have it counted", tool("Task", task), say("They have counted.")));
    },
  },
  {
    name: "the model is set in mid-session",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.idle(1);
      await talk.query.setModel("claude-haiku-4-5");
      await talk.turn(prompt("Again", say("Good day again.")));
      await talk.idle(2);
      await talk.query.setMaxThinkingTokens(1024);
      await talk.turn(prompt("Once more", say("Good day once more.")));
    },
  },
  inOneTurn(
    "a list of tasks",
    { canUseTool: allow, env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" } },
    () => [
      "Make a list",
      tool("TaskCreate", {
        subject: "Look around",
        description: "See what is there",
        activeForm: "Looking around",
      }),
      next,
      tool("TaskUpdate", { taskId: "1", status: "in_progress" }),
      next,
      tool("TaskList", {}),
      say("So it went."),
    ],
  ),
  inOneTurn(
    "a list of what is to be done",
    {
      env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", CLAUDE_CODE_ENABLE_TASKS: "0" },
    },
    () => {
      const look = { content: "Look around", activeForm: "Looking around" };
      return [
        "Make a list",
        tool("TodoWrite", { todos: [{ ...look, status: "pending" }] }),
        next,
        tool("TodoWrite", { todos: [{ ...look, status: "completed" }] }),
        say("So it went."),
      ];
    },
  ),
  {
    name: "a search of the web",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(
        prompt("Search", tool("WebSearch", { query: "signal boxes" }), say("So it went.")),
      );
    },
  },
  {
    name: "a PDF, and pages of it",
    files: { "a.pdf": createPdf(3) },
    async play(stage) {
      const file_path = `${stage.folder}/a.pdf`;
      // The path contains no pdftoppm on any machine, and both programs say that they need it.
      const talk = stage.open({ canUseTool: allow, env: { PATH: stage.folder } });
      await talk.turn(
        prompt(
          "Read it",
          tool("Read", { file_path }),
          next,
          tool("Read", { file_path, pages: "1-2" }),
          next,
          tool("Read", { file_path, pages: "1-30" }),
          next,
          tool("Read", { file_path, pages: "all" }),
          say("So it went."),
        ),
      );
    },
  },
  {
    name: "commands and skills of one name, and a blank before a command",
    files: {
      "home/.claude/commands/who.md": "The user's command for $ARGUMENTS",
      ".claude/commands/who.md": "The project's command for $ARGUMENTS",
      "home/.claude/skills/what/SKILL.md": "---\nname: what\ndescription: d\n---\nThe user's skill",
      ".claude/skills/what/SKILL.md": "---\nname: what\ndescription: d\n---\nThe project's skill",
      "home/.claude/commands/when.md": "The user's command",
      ".claude/skills/when/SKILL.md": "---\nname: when\ndescription: d\n---\nThe project's skill",
    },
    async play(stage) {
      const talk = stage.open();
      for (const words of ["/who Ada", "/what", "/when", " /who Bob", "\n/cost", "/who Eve  "]) {
        await talk.turn(words);
      }
    },
  },
  {
    name: "few words of thinking are counted by their signature",
    async play(stage) {
      const talk = stage.open({ includePartialMessages: true });
      await talk.turn(prompt("Think", "::think h", "::think Hello hm", say("Thought.")));
    },
  },
  {
    name: "a skill",
    files: {
      ".claude/skills/greet/SKILL.md":
        "---\nname: greet\ndescription: Greets people\n---\nGreet $ARGUMENTS warmly.\n",
    },
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(
        prompt("Greet", tool("Skill", { skill: "greet", args: "Ada" }), say("Greeted.")),
      );
    },
  },
  {
    name: "what stands in the heads of commands and skills",
    files: {
      ".claude/commands/fast.md":
        "---\nmodel: haiku\neffort: low\nargument-hint: what\n---\nDo $ARGUMENTS.\n::say Done.\n",
      ".claude/commands/mine.md": "---\nuser-invocable: false\n---\nDo it.\n::say Done.\n",
      ".claude/commands/yours.md": "---\ndisable-model-invocation: yes\n---\nDo it.\n::say Done.\n",
      ".claude/skills/greet/SKILL.md": "---\nname: greet\n---\nGreet $ARGUMENTS.\n",
      ".claude/skills/touch/SKILL.md": `---\nname: touch\ndescription: Touches\nmodel: haiku\nallowed-tools: Bash(touch:*)\n---\n${touching}\n`,
    },
    async play(stage) {
      const talk = stage.open({
        canUseTool: (name, input) =>
          Promise.resolve(
            name === "Skill"
              ? { behavior: "allow", updatedInput: input }
              : { behavior: "deny", message: "No." },
          ),
      });
      for (const one of ["/fast this", "/mine", "/yours", "/nobody-knows it"]) await talk.turn(one);
      const skill = (name: string, args?: string) => [
        tool("Skill", { skill: name, ...(args !== undefined && { args }) }),
        next,
      ];
      await talk.turn(
        prompt(
          "Go",
          ...skill("yours"),
          ...skill("mine"),
          ...skill("mine"),
          ...skill("greet", "Ada"),
          ...skill("greet", "Bob"),
          say("Gone."),
        ),
      );
      await talk.turn(prompt("Touch", ...skill("touch"), touching));
      await talk.turn(prompt("Again", bash("touch again.txt", "Touch"), next, say("No.")));
    },
  },
  {
    name: "commands of the project that run something",
    files: {
      ".claude/commands/look.md":
        "---\nallowed-tools: Bash(echo:*)\n---\nThere is !`echo a thing`.\n::say Looked.\n",
      ".claude/commands/make.md": "There is !`touch made.txt`.\n::say Made.\n",
      ".claude/commands/fail.md": "---\nallowed-tools: Bash\n---\nThere is !`false`.\n::say No.\n",
      ".claude/commands/miss.md":
        "---\nallowed-tools: Bash\n---\nThere is !`echo a; ls missing`.\n::say No.\n",
    },
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      await talk.turn("/look");
      await talk.turn("/make");
      await talk.turn("/fail");
      await talk.turn("/miss");
    },
  },
  {
    name: "a command of the project",
    files: {
      ".claude/commands/greet.md":
        "Greet $ARGUMENTS.\n::say Greeted $0, $1 and $ARGUMENTS[2], for $5.00.\n",
    },
    async play(stage) {
      const talk = stage.open();
      await talk.turn("/context");
      await talk.turn("/compact"); // There is too little to summarize.
      await talk.turn('/greet Ada "Grace Hopper" Joan');
      await talk.turn("/context");
    },
  },
  {
    name: "what fills the window, with everything that a person can bring along",
    files: {
      "CLAUDE.md": `Be kind. ${"Very kind. ".repeat(400)}\n`,
      "home/.claude/CLAUDE.md": "Be brief.\n",
      ".claude/agents/counter.md": "---\nname: counter\ndescription: Counts\n---\nYou count.\n",
      "home/.claude/agents/poet.md": "---\nname: poet\ndescription: Rhymes\n---\nYou rhyme.\n",
      ".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets\n---\nGreet.\n",
      "home/.claude/commands/look.md": "Look around.\n",
    },
    async play(stage) {
      const tools = ["Bash", "Read", "Edit"]; // Neither program loads these later.
      const agents = { mason: { description: "Builds", prompt: "You build." } };
      const talk = stage.open({ tools, agents, systemPrompt: "You are a gardener." });
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.turn("/context");
      await talk.end();
      const all = stage.open();
      await all.turn(prompt("Hello", say("Good day.")));
      await all.turn("/context");
    },
  },
  {
    name: "inputs with numbers as texts, and with what nobody would see",
    files: { "a.txt": "one\ntwo\nthree\n" },
    async play(stage) {
      const path = `${stage.folder}/a.txt`;
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(
        prompt(
          "Look",
          tool("Read", { file_path: path, offset: "2" }),
          next,
          tool("Read", { file_path: path, limit: 0 }),
          next,
          tool("Read", { file_path: path, offset: 0, limit: 2 }),
          next,
          tool("Read", { file_path: path, limit: 1.5 }),
          next,
          tool("Bash", { command: "echo one", timeout: "2000", run_in_background: "false" }),
          next,
          tool("Bash", { command: "echo two", timeout: 0 }),
          ...["\u001b[8m", "\b", "\r\n", "\u007f", "\u0085", "\0", "\t", "\u200b"].flatMap(
            (mark) => [next, tool("Bash", { command: `echo a${mark}b` })],
          ),
          say("So it went."),
        ),
      );
    },
  },
  {
    name: "how much of an output is shown is set",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, env: { BASH_MAX_OUTPUT_LENGTH: "500" } });
      await talk.turn(prompt("Count", bash("seq 1 2000", "count"), say("So it went.")));
    },
  },
];
