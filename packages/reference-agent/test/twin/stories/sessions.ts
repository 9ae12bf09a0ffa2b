import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const hello = prompt("Who is it?", bash("echo It is Ada", "Ask"), say("Good day, Ada."));
const again = prompt("Do you know me?", say("I heard: {{seen It is (\\w+)}}."));

const six = ["one", "two", "three", "four", "five", "six"];
/** Lists the files whose text the model got without asking, in order. */
const toldFiles = ({ requests }: Stage): unknown[] =>
  [...JSON.stringify(requests.at(-1)).matchAll(/Called the Read tool with [^}]*work\/(\w+)/g)].map(
    ([, name]) => name,
  );

/** Conversations that outlive their process. */
export const sessions: Story[] = [
  {
    name: "a session with a name goes on, forked and by --continue",
    async play(stage) {
      const first = stage.open();
      const { session_id: resume = "" } = await first.turn(prompt("Hello", say("Good day.")));
      await first.turn("/rename Of gardens");
      await first.end();
      for (const how of [{ resume }, { resume, forkSession: true }, { continue: true }]) {
        const talk = stage.open(how);
        await talk.turn(prompt("Hello again", say("Good day.")));
        await talk.end();
      }
    },
  },
  {
    name: "continue",
    async play(stage) {
      const first = stage.open();
      await first.turn(hello);
      await first.end();
      await stage.open({ continue: true }).turn(again);
    },
  },
  {
    name: "resume, fork, and resume at a message",
    async play(stage) {
      const first = stage.open();
      const result = await first.turn(hello);
      const id = result.session_id ?? "";
      await first.turn(prompt("Something to forget", say("Forgotten.")));
      await first.end();
      const forked = stage.open({ resume: id, forkSession: true });
      const fork = await forked.turn(again);
      stage.note("the fork has an id of its own", fork.session_id !== id);
      await forked.end();
      const said = first.messages.find(({ type }) => type === "assistant");
      const cut = stage.open({ resume: id, resumeSessionAt: said?.uuid ?? "" });
      const resumed = await cut.turn(again);
      stage.note("the same id", resumed.session_id === id);
    },
  },
  {
    name: "a session that is not there",
    async play(stage) {
      const talk = stage.open({ resume: "11111111-1111-4111-8111-111111111111" });
      talk.say(hello);
      await talk.end();
    },
  },
  {
    name: "files are rewound",
    files: { "kept.txt": "as it was\n" },
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, enableFileCheckpointing: true });
      const path = `${stage.folder}/kept.txt`;
      const uuid = talk.say(
        prompt(
          "Change them",
          tool("Read", { file_path: path }),
          next,
          tool("Edit", { file_path: path, old_string: "was", new_string: "is" }),
          next,
          tool("Write", { file_path: `${stage.folder}/new.txt`, content: "a\nb\n" }),
          say("Changed."),
        ),
      );
      await talk.result();
      await talk.idle(1);
      stage.note("dry run", await talk.query.rewindFiles(uuid, { dryRun: true }));
      stage.note("after the dry run", stage.read("kept.txt"));
      stage.note("rewind", await talk.query.rewindFiles(uuid));
      stage.note("nothing left", await talk.query.rewindFiles(uuid, { dryRun: true }));
      const missing = "11111111-1111-4111-8111-111111111111";
      const refused = await talk.query
        .rewindFiles(missing)
        .catch((failure: unknown) => String(failure));
      stage.note("unknown message", refused);
    },
  },
  {
    name: "a compaction that keeps the last answer, and what goes on after it",
    async play(stage) {
      const first = stage.open();
      await first.turn(hello);
      await first.turn(again);
      await first.turn("/compact");
      await first.end();
      const second = stage.open({ continue: true });
      await second.turn(prompt("Once more", say("Good day once more.")));
    },
  },
  {
    name: "files that were known before are known when it goes on",
    files: Object.fromEntries(six.map((name) => [name, `It is ${name}.\nAnd more.\n`])),
    async play(stage) {
      const first = stage.open({ canUseTool: allow });
      const at = (name: string) => ({ file_path: `${stage.folder}/${name}` });
      const edit = (name: string, old_string: string, new_string: string) =>
        tool("Edit", { ...at(name), old_string, new_string });
      const known = [tool("Read", at("one")), next, tool("Read", { ...at("two"), limit: 1 }), next];
      known.push(tool("Write", { ...at("new"), content: "It is new.\n" }), next);
      known.push(edit("three", "It", "That"), next, tool("Read", at("four")));
      await first.turn(prompt("Know them", ...known, say("Known.")));
      await first.end();
      stage.write("four", "It was changed.\n");
      const second = stage.open({ continue: true, canUseTool: allow });
      const edits = ["one", "two", "new", "four", "five"].flatMap((name) => [
        edit(name, "It", "This"),
        next,
      ]);
      await second.turn(prompt("Edit", ...edits, edit("three", "That", "This"), say("Edited.")));
    },
  },
  {
    name: "files are told again after a compaction, but for those that still stand there",
    files: Object.fromEntries(six.map((name) => [name, `It is ${name}.\n`])),
    async play(stage) {
      const first = stage.open({ canUseTool: allow });
      const at = (name: string) => ({ file_path: `${stage.folder}/${name}` });
      const ages = six.map((name, age) => `touch -d 2020-01-0${age + 1} ${name}`).join("; ");
      const reads = six.flatMap((name) => [tool("Read", at(name)), next]);
      await first.turn(prompt("Read them", bash(ages, "Give them ages"), next, ...reads));
      await first.turn(prompt("Once more", tool("Write", { ...at("new"), content: "new\n" })));
      await first.turn("/compact");
      const edit = (name: string) =>
        tool("Edit", { ...at(name), old_string: "It", new_string: "That" });
      await first.turn(prompt("Now", say("Ready.")));
      stage.note("after the command", toldFiles(stage));
      await first.turn(prompt("Edit", edit("one"), next, edit("six"), say("Edited.")));
      await first.end();
      const second = stage.open({ continue: true, canUseTool: allow });
      await second.turn(prompt("Go on", say("I do.")));
      stage.note("after it went on", toldFiles(stage));
      const full = "::usage input=990000 output=10";
      const fill = [tool("Read", at("two")), next, tool("Read", at("three")), full, next];
      await second.turn(prompt("Fill the window", ...fill, say("Done.")));
      stage.note("when it was full", toldFiles(stage));
    },
  },
  {
    name: "compaction by command, and nothing to continue",
    async play(stage) {
      const talk = stage.open({ continue: true });
      await talk.turn(hello);
      await talk.turn("/compact");
      await talk.turn(again);
    },
  },
  {
    name: "a session goes on with the model that it had, by whatever name",
    files: { "home/.claude/settings.json": '{ "model": "opus" }' },
    async play(stage) {
      const first = stage.open({ model: "SONNET" });
      const { session_id: id = "" } = await first.turn(hello);
      await first.end();
      const second = stage.open({ resume: id });
      await second.turn(again);
      await second.query.setModel("haiku");
      await second.turn(again);
      await second.end();
      const forked = stage.open({ continue: true, forkSession: true });
      await forked.turn(again);
      await forked.end();
      const told = stage.open({ resume: id, model: "claude-opus-4-1" });
      await told.turn(again);
      await told.end();
      stage.write(
        "../home/.claude/settings.json",
        '{ "env": { "ANTHROPIC_MODEL": "Sonnet[1M]" } }',
      );
      const set = stage.open({ resume: id });
      await set.turn(again);
      await set.end();
    },
  },
];
