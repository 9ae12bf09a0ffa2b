import { describe, expect, test } from "bun:test";
import { everyCommand } from "../src/permission/every-command.ts";
import { stateIn } from "./permission-place.ts";

/** Each of these runs `rm x`, or would if the programs existed. */
const disguises: Readonly<Record<string, readonly string[]>> = {
  "here-documents with one quote in them": [
    "cat <<E\n'\nE\nrm x",
    'cat <<E\n"\nE\nrm x',
    "cat > msg <<E\nIt's fine\nE\nrm x",
    "cat <<-E\n'\n\tE\nrm x",
    "cat <<'E F'\n'\nE F\nrm x",
    "cat <<\\E\n`\nE\nrm x",
    'cat <<E"F"\n\'\nEF\nrm x',
    "cat <<A <<B\n'\nA\n\"\nB\nrm x",
    "cat <<E\n'\\\nE\nE\nrm x",
    "cat <<E && rm x\n'\nE",
    "<<E rm x\n'\nE",
    "(cat <<E\n'\nE\nrm x)",
    "f() { cat <<E\n'\nE\nrm x; }; f",
    `git commit -m "$(cat <<'E'\nIt's\nE\n)" && rm x`,
    "cat <<E\n$(rm x)\nE",
    "cat <<E\n`rm x`\nE",
    "cat <<E\n${A:-$(rm x)}\nE",
    "bash <<E\nrm x\nE",
    "bash <<< 'rm x'",
  ],
  "functions, groups and words before a command": [
    "function f { rm x; }; f",
    "function f() { rm x; }; f",
    "function f if true; then rm x; fi; f",
    "f() rm x; f",
    "time -p rm x",
    "time -- rm x",
    "time ! rm x",
    "time { rm x; }",
    "coproc Q { rm x; }",
    "for i in a; { rm x; }",
    "case a in (a) rm x;; esac",
    "((1)) && rm x",
    "echo $((1<<2))\nrm x\n2",
  ],
  "programs that run others": [
    "timeout --signal KILL 5 rm x",
    "timeout --kill-after 3 5 rm x",
    "timeout -vk 1 5 rm x",
    "env --unset HOME rm x",
    "env --chdir . rm x",
    'env -S"rm x"',
    "env -iS 'rm x'",
    'env --split-string="rm x"',
    "env --split-string 'rm x'",
    "env - rm x",
    "flock lock rm x",
    "flock -w 5 lock rm x",
    'flock lock -c "rm x"',
    "unshare --map-root-user rm x",
    "unshare -w /tmp rm x",
    "taskset 1 rm x",
    "taskset --cpu-list 0 rm x",
    "chrt -o 0 rm x",
    "chrt --other 0 rm x",
    "nice --adjustment 5 rm x",
    "stdbuf --output L rm x",
    "xargs --max-args 1 rm",
    "watch -n 1 rm x",
    "script -qc 'rm x' /dev/null",
    "find . -exec true \\; -exec rm {} +",
    "nohup nice /usr/bin/timeout 5 /bin/rm x",
  ],
  "lines for another shell": [
    `sh -c '"$@"' _ rm x`,
    "sh -c '$0 x' rm",
    "bash -c -- 'rm x'",
    "bash -c -x 'rm x'",
    "bash -o errexit +x -c 'rm x'",
    "ash -c 'rm x'",
    'bash -c "cat <<E\n\'\nE\nrm x"',
  ],
  "variables that the line sets": [
    "export X=rm; $X x",
    "declare -x X=rm; $X x",
    "X=r; X+=m; $X x",
    "X=rm; (X=ls); $X x",
    "X=rm; echo $($X x)",
    "for X in ls rm; do $X x; done",
    'X=(rm x); "${X[@]}"',
    "X='rm x'; $X",
    "${X:-rm} x",
    "Y=rm; X=$Y; $X x",
  ],
  "words before it": [
    "{fd}>/dev/null rm x",
    "2>&1 >out rm x",
    "A[0]=1 rm x",
    "A[b c]=1 rm x",
    "A=${b:-c d} rm x",
    "A=(1 2) rm x",
    "$'\\u0072m' x",
    '$"rm" x',
    "r\\\nm x",
  ],
  "one within the other": [
    "echo `echo \\`rm x\\``",
    'echo "`echo \\"\\`rm x\\`\\"`"',
    "echo $(echo ')'; rm x)",
    'echo $(echo ")"; rm x)',
    "echo $(echo $'\\')'; rm x)",
    "echo $(# )\nrm x)",
    `echo "$(echo "$(echo "$(rm x)")")"`,
    "echo ${A:-')'}; rm x",
    "echo $(( $(rm x) + 1 ))",
    "cat <(echo <(rm x))",
    "A[$(rm x)]=1",
  ],
};

describe("rules that deny", () => {
  for (const [what, lines] of Object.entries(disguises)) {
    test(`[RA60] a denied command is found behind ${what}`, () => {
      using place = stateIn();
      place.state.addRules("deny", ["Bash(rm:*)"], "session", "/");
      place.state.addRules("allow", ["Bash"], "session", "/");
      for (const line of lines) expect([line, place.say(line)]).toEqual([line, "deny"]);
    });
  }

  test("[RA60] text that only mentions it is not denied", () => {
    using place = stateIn();
    place.state.addRules("deny", ["Bash(rm:*)"], "session", "/");
    for (const line of [
      "cat <<E\nIt's how to\nrm x\nE",
      "cat <<'E'\n$(rm x)\nE",
      "cat <<< 'rm x'",
      "command -v rm",
      "timeout 5 git rm x",
      "timeout --foreground 5 git rm x",
      "nice -n5 git rm x",
      "sudo -E -u root git rm x",
      "env A=1 git rm x",
      "xargs -r0n1 git rm x",
      "echo case rm in",
      "git commit -m 'time rm x'",
      "echo a#b 'rm' \"; rm x\"",
    ]) {
      expect([line, place.say(line)]).not.toEqual([line, "deny"]);
    }
  });

  test("[RA60] a line that shells read in two ways requires a question in every mode", () => {
    using place = stateIn("bypassPermissions");
    for (const line of [
      `echo "\${A:-it's}"`,
      "echo ${A/$(true)/}",
      'echo "${A[`true`]}"',
      "echo $(never closed",
      "echo $(cat <<E)\nx\nE",
      "echo $(( ' ))",
    ]) {
      expect([line, everyCommand(line).doubt, place.say(line)]).toEqual([line, "ambiguous", "ask"]);
    }
    for (const line of [`echo "\${A:-'b'}"`, `echo "\${A#'b'}"`, "echo ${A:-$(true)}"]) {
      expect([line, everyCommand(line).doubt]).toEqual([line, undefined]);
    }
  });

  test("[RA60] a line that may have been misread requires a question if any rule denies something", () => {
    using place = stateIn("bypassPermissions");
    const misread = [
      "echo 'never closed",
      "A=(never closed",
      "echo $(case a in a) rm x;; esac)",
      "echo $(cat <<E)\nrm x\nE",
      "$(".repeat(60),
      "$((".repeat(2000),
      "eval ".repeat(40) + "rm x",
    ];
    for (const line of misread) expect(everyCommand(line).doubt).toBeDefined();
    place.state.addRules("deny", ["Bash(dd:*)"], "session", "/");
    for (const line of misread) expect([line, place.say(line)]).toEqual([line, "ask"]);
  });
});
