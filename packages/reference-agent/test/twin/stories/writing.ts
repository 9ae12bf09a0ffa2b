import { chmodSync, linkSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const inTurn = (...calls: string[]): string =>
  prompt("Do it", ...calls.flatMap((call) => [call, next]), say("Done."));

/** Creates calls of the tools that write, for files in a folder. */
function toolsIn({ folder }: Stage) {
  const at = (name: string) => ({ file_path: join(folder, name) });
  return {
    read: (name: string) => tool("Read", at(name)),
    write: (name: string, content: string) => tool("Write", { ...at(name), content }),
    edit: (name: string, old_string: string, new_string: string, replace_all = false) =>
      tool("Edit", { ...at(name), old_string, new_string, replace_all }),
  };
}

/** The effects of tools that write files. */
export const writing: Story[] = [
  {
    name: "files with two names, and with rights of their own",
    files: { "one.txt": "hardy\n", "two.txt": "hardy\n" },
    async play(stage) {
      const path = (name: string) => join(stage.folder, name);
      for (const name of ["one", "two"]) linkSync(path(`${name}.txt`), path(`${name}.also`));
      chmodSync(path("one.txt"), 0o640);
      chmodSync(path("two.txt"), 0o755);
      symlinkSync("two.txt", path("link"));
      const { read, write, edit } = toolsIn(stage);
      const talk = stage.open({ permissionMode: "acceptEdits" });
      await talk.turn(
        inTurn(
          read("one.txt"),
          write("one.txt", "soft\n"),
          read("link"),
          edit("link", "hardy", "soft"),
        ),
      );
      for (const name of ["one.txt", "two.txt"]) {
        const { mode, nlink } = statSync(path(name));
        stage.note(name, [mode, nlink]);
      }
    },
  },
  {
    name: "edits of lines, ends of lines and quotation marks",
    files: {
      lines: "a\na\nb\n",
      tail: "x a\ny\n",
      mixed: "one\r\ntwo\nthree\r\n",
      mostly: "one\ntwo\r\nthree\n",
      marked: "\uFEFFone\r\ntwo\r\n",
      quoted: "he said “hi” and ‘bye’\n",
      plain: 'he said "hi"\n',
      spaces: "x  \ny\n",
      "spaces.md": "x  \ny\n",
      twice: "x\nx\n",
    },
    async play(stage) {
      const { write, edit } = toolsIn(stage);
      const talk = stage.open({ permissionMode: "acceptEdits" });
      await talk.turn(
        inTurn(
          edit("lines", "a", "", true),
          edit("tail", "a", ""),
          edit("mixed", "one\ntwo", "1\n2"),
          edit("mostly", "two", "2\n2"),
          edit("marked", "one", "1"),
          write("marked", "all\nnew\n"),
          edit("quoted", '"hi"', '"ho" ("it")'),
          edit("quoted", "'bye'", "it's 'over'"),
          edit("plain", "“hi”", "“ho”"),
          edit("spaces", "x", "z  \nz\t"),
          edit("spaces.md", "x", "z  \nz\t"),
          edit("twice", "x", "y"),
          edit("twice", "nowhere", "y"),
        ),
      );
    },
  },
  {
    name: "texts with NUL, archives, and pictures that are none",
    files: {
      "nul.txt": "one\0two\nthree\n",
      "no-extension": "one\0two\n",
      "data.bin": "text\n",
      "a.ZIP": "text\n",
      "a.png": "text\n",
    },
    async play(stage) {
      const { read, edit } = toolsIn(stage);
      const names = ["nul.txt", "no-extension", "data.bin", "a.ZIP", "a.png"];
      const talk = stage.open({ permissionMode: "acceptEdits" });
      await talk.turn(inTurn(...names.map(read), edit("nul.txt", "three", "3")));
    },
  },
  {
    name: "what stands in the place of a file is not rewound",
    files: { link: "v0\n", linked: "v0\n", same: "v0\n", other: "v0\n", plain: "v0\n" },
    async play(stage) {
      const { read, write } = toolsIn(stage);
      const path = (name: string) => join(stage.folder, name);
      const names = ["link", "linked", "same", "plain"];
      const talk = stage.open({ canUseTool: allow, enableFileCheckpointing: true });
      const uuid = talk.say(
        inTurn(
          ...names.map(read),
          ...[...names, "folder", "nowhere"].map((name) => write(name, "v1\n")),
        ),
      );
      await talk.result();
      stage.write("precious", "precious\n");
      linkSync(path("linked"), path("also"));
      const replaced = { link: "precious", same: "other", nowhere: "nothing" };
      for (const [name, target] of Object.entries(replaced)) {
        rmSync(path(name));
        symlinkSync(target, path(name));
      }
      rmSync(path("folder"));
      mkdirSync(path("folder"));
      stage.note("dry", await talk.query.rewindFiles(uuid, { dryRun: true }));
      stage.note("done", await talk.query.rewindFiles(uuid));
      await talk.turn(prompt("Go on", say("I do.")));
    },
  },
  {
    name: "paths that can lead to no file, and blanks around one",
    files: { "a.txt": "a\n" },
    async play(stage) {
      const path = (name: string) => join(stage.folder, name);
      symlinkSync("other", path("loop"));
      symlinkSync("loop", path("other"));
      const odd = ["a.txt/b.txt", "x".repeat(300), "a\0b", "loop"].map(path).concat(path("a.txt/"));
      const talk = stage.open({ canUseTool: allow });
      for (const file_path of [...odd, ` ${path("a.txt")} `]) {
        const change = { file_path, old_string: "a", new_string: "b" };
        const calls = [
          tool("Read", { file_path }),
          tool("Write", { file_path, content: "a\n" }),
          tool("Edit", change),
        ];
        await talk.turn(inTurn(...calls));
      }
      await talk.end();
      for (const name of ["loop", "other"]) rmSync(path(name));
    },
  },
  {
    name: "what a subagent changed is not rewound",
    files: { mine: "v0\n", theirs: "v0\n" },
    async play(stage) {
      const { read, write } = toolsIn(stage);
      const talk = stage.open({ permissionMode: "acceptEdits", enableFileCheckpointing: true });
      const sent = [read("theirs"), next, write("theirs", "v1\n"), next, write("new", "v1\n")];
      const uuid = talk.say(
        inTurn(
          read("mine"),
          write("mine", "v1\n"),
          tool("Agent", errand("general-purpose", "Write", ...sent, next, say("Written."))),
        ),
      );
      await talk.result();
      stage.note("dry", await talk.query.rewindFiles(uuid, { dryRun: true }));
      stage.note("done", await talk.query.rewindFiles(uuid));
    },
  },
];
