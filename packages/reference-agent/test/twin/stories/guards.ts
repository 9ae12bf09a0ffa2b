import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const inTurn = (calls: readonly string[]): string[] => calls.flatMap((call) => [call, next]);

const cells = [
  {
    cell_type: "code",
    id: "c1",
    metadata: {},
    source: ["x=1"],
    outputs: [],
    execution_count: null,
  },
];
const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** Calls that tools refuse by themselves, whoever has allowed them. */
export const guards: Story[] = [
  {
    name: "links, folders, devices and bytes that are no text",
    files: { "a.txt": "one\ntwo\n", "d/e.txt": "e\n", "../outside/kept.txt": "kept\n" },
    async play(stage) {
      const links = {
        dangling: "../outside/new.txt",
        inside: "a.txt",
        twice: "inside",
        nowhere: "nowhere.txt",
        folder: "d",
        out: "../outside/kept.txt",
        beyond: "../outside",
      };
      for (const [name, target] of Object.entries(links)) {
        symlinkSync(target, join(stage.folder, name));
      }
      writeFileSync(join(stage.folder, "latin.txt"), Buffer.from("caf\xe9\n", "latin1"));
      const talk = stage.open({
        permissionMode: "acceptEdits",
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "No." }),
      });
      const write = (file_path: string) => tool("Write", { file_path, content: "x\n" });
      const read = (file_path: string) => tool("Read", { file_path });
      await talk.turn(
        prompt(
          "Try",
          ...inTurn([
            write("dangling"),
            write("nowhere"),
            write("folder/new.txt"),
            read("inside"),
            tool("Edit", { file_path: "inside", old_string: "one", new_string: "ONE" }),
            write("twice"),
            write("out"),
            write("beyond/new.txt"),
            write("d"),
            tool("Edit", { file_path: "d", old_string: "a", new_string: "b" }),
            read("latin.txt"),
            tool("Edit", { file_path: "latin.txt", old_string: "caf", new_string: "CAF" }),
            write("latin.txt"),
          ]),
          say("So it went."),
        ),
      );
    },
  },
  {
    name: "files that were not read, not whole, or changed since",
    files: {
      "unread.txt": "one\ntwo\n",
      "over.txt": "one\ntwo\n",
      "changed.txt": "one\ntwo\n",
      "partly.txt": "one\ntwo\n",
      "empty.txt": "",
      "ends.txt": "one\r\ntwo\r\n",
      "unread.ipynb": notebook,
      "changed.ipynb": notebook,
    },
    async play(stage) {
      const talk = stage.open({ permissionMode: "acceptEdits", canUseTool: allow });
      const read = (file_path: string, more = {}) => tool("Read", { file_path, ...more });
      const write = (file_path: string) => tool("Write", { file_path, content: "x\n" });
      const edit = (file_path: string, old_string: string, new_string: string) =>
        tool("Edit", { file_path, old_string, new_string });
      const cell = (notebook_path: string) =>
        tool("NotebookEdit", { notebook_path, cell_id: "c1", new_source: "y=2" });
      await talk.turn(
        prompt(
          "Try",
          ...inTurn([
            edit("unread.txt", "one", "ONE"),
            edit("unread.txt", "ONE", "1"),
            write("empty.txt"),
            write("over.txt"),
            write("unread.ipynb"),
            edit("ends.txt", "one\ntwo", "1\n2"),
            read("changed.txt"),
            bash("sed -i s/two/three/ changed.txt", "Change it"),
            edit("changed.txt", "one", "ONE"),
            edit("changed.txt", "ONE", "1"),
            read("partly.txt", { limit: 1 }),
            edit("partly.txt", "one", "ONE"),
            write("partly.txt"),
            cell("unread.ipynb"),
            read("changed.ipynb"),
            cell("changed.ipynb"),
            bash("touch changed.ipynb", "Touch it"),
            bash("echo >> changed.ipynb", "Change it"),
            cell("changed.ipynb"),
            ...["/dev/zero", "/dev/stdin", "/proc/self/fd/0", "/dev/null"].map((path) =>
              read(path),
            ),
          ]),
          say("So it went."),
        ),
      );
    },
  },
  {
    name: "rules that deny, in other clothes",
    files: { "secret/s.txt": "secret\n", "kept/k.txt": "kept\n", "a.txt": "a\n" },
    async play(stage) {
      const talk = stage.open({
        tools: ["Bash", "Read", "Write", "Edit", "Grep", "Glob"],
        settings: {
          permissions: {
            allow: ["Bash", "Write", "Edit", "Grep", "Glob"],
            deny: ["Bash(rm:*)", "Read(./secret/**)", "Edit(./kept/**)"],
          },
        },
        canUseTool: allow,
      });
      const lines = [
        "FOO=1 rm a.txt",
        "timeout 5 rm a.txt",
        "/bin/rm a.txt",
        "nohup rm a.txt",
        "env FOO=1 rm a.txt",
        "echo $(rm a.txt)",
        '"rm" a.txt',
        "r\\m a.txt",
        "true; \\\n rm a.txt",
        "{ rm a.txt; }",
        'echo "$(rm a.txt)"',
        "f() { rm a.txt; }; f",
        "R=rm; $R a.txt",
        "cat > note.txt <<E\nIt's fine\nE\nrm a.txt",
        "function f { rm a.txt; }; f",
        "time -p rm a.txt",
        "timeout --signal KILL 5 rm a.txt",
        "env --unset HOME rm a.txt",
        'env -S"rm a.txt"',
        "flock lock rm a.txt",
        "chrt -o 0 rm a.txt",
        "export R=rm; $R a.txt",
        "echo `echo \\`rm a.txt\\``",
        "command -v rm",
        "echo rm a.txt",
        "cat secret/s.txt",
        "cat < secret/s.txt",
        "timeout 5 cat secret/s.txt",
        "ls secret",
        "cp secret/s.txt b.txt",
        "awk 1 secret/s.txt",
        "cd -P secret && cat s.txt",
        "cd secret",
        "cat SECRET/s.txt",
        "cat <<E\nIt is in secret/s.txt\nE",
        "git check-ignore secret/s.txt",
        "echo x > kept/n.txt",
        "touch kept/n.txt",
        "sed -i s/k/K/ kept/k.txt",
        "cp a.txt kept/n.txt",
        "cat kept/k.txt",
      ];
      const calls = [
        tool("Grep", { pattern: "e", path: "." }),
        tool("Grep", { pattern: "e", path: "secret" }),
        tool("Glob", { pattern: "**/s.txt" }),
        tool("Read", { file_path: "secret/s.txt" }),
        tool("Write", { file_path: "secret/n.txt", content: "x" }),
        tool("Edit", { file_path: "secret/s.txt", old_string: "s", new_string: "x" }),
        tool("Write", { file_path: "kept/n.txt", content: "x" }),
        tool("Edit", { file_path: "kept/k.txt", old_string: "k", new_string: "x" }),
      ];
      const commands = lines.map((line) => bash(line, "Try it"));
      await talk.turn(prompt("Try", ...inTurn([...commands, ...calls]), say("So it went.")));
    },
  },
];
