import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const hello = prompt("Who is it?", bash("echo It is Ada", "Ask"), say("Good day, Ada."));
const again = prompt("Do you know me?", say("I heard: {{seen It is (\\w+)}}."));

/** Conversations that outlive their process. */
export const sessions: Story[] = [
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
          tool("Write", { file_path: `${stage.folder}/new.txt`, content: "a\nb\n" }),
          say("Changed."),
        ),
      );
      await talk.result();
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
    name: "compaction by command, and nothing to continue",
    async play(stage) {
      const talk = stage.open({ continue: true });
      await talk.turn(hello);
      await talk.turn("/compact");
      await talk.turn(again);
    },
  },
];
