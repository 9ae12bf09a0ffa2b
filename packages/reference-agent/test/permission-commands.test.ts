import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isReadOnlyLine } from "../src/permission/bash.ts";
import { judgeWrite } from "../src/permission/files.ts";
import { coversCommand, splitRules } from "../src/permission/rule.ts";
import { stateIn } from "./permission-place.ts";

describe("rules for commands", () => {
  test("[RA17] cover what a command does in the working folders, and no more", () => {
    using place = stateIn();
    const names = "cat touch find git cd tee npm".split(" ");
    place.state.addRules(
      "allow",
      names.map((name) => `Bash(${name}:*)`),
      "session",
      place.folder,
    );
    for (const line of ["cat a.txt", "touch a", "npm i", "cd sub && npm i", "cd . && git gc"]) {
      expect([line, place.say(line)]).toEqual([line, "allow"]);
    }
    for (const line of [
      "cat /etc/passwd",
      "touch ../a",
      "touch *.txt",
      "touch sub/../a",
      "touch .git/config",
      "npm i && touch .claude/settings.json",
      "echo a | tee .git/config",
      "find . -delete",
      "npm i | find . -exec rm {} +",
      "cd ..",
      "cd sub && touch a",
      "cd sub && git gc",
      "git gc; cd sub",
      "pushd sub && env git gc",
      "cd sub && cd .. && npm i",
    ]) {
      expect([line, place.say(line)]).toEqual([line, "ask"]);
    }
  });
});

describe("options", () => {
  test("[RA15] commands that read in indirect ways require a question", () => {
    using place = stateIn();
    for (const line of [
      "jq -n env",
      "jq -n '$ENV.PATH'",
      "grep -f ../other.txt a.txt",
      "grep -rf a.txt .",
      "wc --files0-from=../list",
      "pwd -P",
      "printf -v x y",
    ]) {
      expect([line, place.say(line)]).toEqual([line, "ask"]);
    }
  });

  test("[RA15] harmless ones need no question, whether combined, joined or long", () => {
    using place = stateIn();
    for (const line of [
      "ls -lahR --color=auto sub",
      "sort -t, -k2n -ru a.txt",
      "sort --key=2 --reverse a.txt",
      "head -5 a.txt",
      "head -qn5 a.txt",
      "tail -n +3 a.txt",
      "cut -d: -f1,2 a.txt",
      "column -t -s, a.txt",
      "grep -rniE -A3 --include='*.ts' -e one sub",
      "rg -n --glob '*.ts' one sub",
      "rg --files sub",
      "jq -r --arg a b .x a.json",
      "date -u +%F",
      "date -Iseconds",
      "stat -c %s a.txt",
      "file --brief a.txt",
      "xxd -l 16 -ps a.txt",
      "diff -ru a.txt sub",
      "sed -nE '1,5p' a.txt",
      "find -L . -type f ( -name '*.ts' -o -newer a.txt ) -print0".replace(/[()]/g, "\\$&"),
      "git log --oneline -20 --since=yesterday --author x",
      "git diff --stat HEAD~1 -- a.txt",
      "git diff --no-index a.txt b.txt",
      "git grep -n -e one",
      "git blame -L 1,5 a.txt",
      "git branch -avv",
      "git status -sb --porcelain=v2",
    ]) {
      expect([line, place.say(line)]).toEqual([line, "allow"]);
    }
  });

  test("[RA16] any option that is not known to be harmless requires a question, in every spelling", () => {
    using place = stateIn();
    for (const line of [
      "sed '-ne1e touch x' 1p a.txt",
      "sed --exp='1e touch x' 1p a.txt",
      "sed '-new out' 1p a.txt",
      "sort -uo a.txt b.txt",
      "sort --o=a.txt b.txt",
      "sort --outp=a.txt b.txt",
      "sort --compress-p=touch b.txt",
      "sort --files0-from=list",
      "xxd b.txt a.txt",
      "xxd -ps ../outside",
      "xxd -revert a.txt",
      "column -t ../outside",
      "cd -P .. && cat outside",
      "cd -L ..",
      "cd -",
      "grep -ieone ../outside",
      "grep --reg=one ../outside",
      "grep -rflist .",
      "rg --files ../outside",
      "rg --pre=touch x",
      "file -flist",
      "file -f../list",
      "date -uf../list",
      "date 010100002030",
      "hostname -Fa.txt",
      "stat -f ../outside",
      "strings @list",
      "tree -ao out",
      "find -L ../outside",
      "find . -files0-from list",
      "find . -fprint out",
      "test -v 'a[$(touch x)]'",
      "git grep --open='touch x' one",
      "git grep -nOtouch one",
      "git grep -f list",
      "git diff --no-index a.txt etc/passwd",
      "git diff --outpu=x",
      "git log --output=x",
      "git blame --contents=../outside a.txt",
      "git blame --contents link a.txt",
      "git ls-files -oX list",
      "git branch --del x",
    ]) {
      expect([line, place.say(line)]).toEqual([line, "ask"]);
    }
  });
});

describe("commands", () => {
  test("[RA15] commands that only read inside the folder need no question", () => {
    using place = stateIn();
    const { say } = place;
    for (const line of [
      "ls -la",
      "cat a.txt | grep -n x | wc -l",
      "git status && git log --oneline",
      "find . -name '*.ts'",
      "echo 'a > b' 2>&1",
      "cd sub && pwd",
      "head -n 5 sub/*.txt > /dev/null",
      "while [ ! -e go ]; do sleep 0.1; done",
      "sed -n '1,5p' a.txt",
      "for n in 1 2; do if [[ -e a.txt ]]; then cat a.txt; fi; done",
      "for n in $(seq 1 3); do sleep 1; done | cat",
      "X=1; timeout 5 ls",
      "cat <<'EOF'\n$(rm x)\nEOF",
      "echo $((1 + 2))",
    ]) {
      expect(`${line}: ${say(line)}`).toBe(`${line}: allow`);
      expect(isReadOnlyLine(line)).toBe(true);
    }
  });

  test("[RA16] commands that change something, leave the folder or cannot be analyzed require a question", () => {
    using place = stateIn();
    const { say } = place;
    for (const line of [
      "rm -rf sub",
      "echo x > a.txt",
      "cat /etc/passwd",
      "cat etc/passwd",
      "cat ../x",
      "cat ~/.ssh/id_rsa",
      "cat $HOME/x",
      "cd / && ls",
      "cd sub && cat ../../x",
      "echo $(rm x)",
      "echo `rm x`",
      "cat <(rm x)",
      "cat <<EOF\nx\nEOF",
      "ls; npm install",
      "ls & npm install",
      "ls\nnpm install",
      "find . -exec rm {} +",
      "find . -delete",
      "git branch -D main",
      "git commit -m x",
      "sort -o a.txt b.txt",
      "sed 's/a/b/e' a.txt",
      "sed 's/a/b/;s/x/y/w out' a.txt",
      "FOO=bar ls",
      "(ls)",
      "{ ls; }",
      "if true; then rm x; fi",
      "xargs rm",
      "env ls",
      'echo "$(rm x)"',
      "ls 'unclosed",
      "ls &",
      "for n in 1 2; do ls; done > /dev/null",
      "for n in 1 2; do ls | cat; done",
      "for n in $(rm x); do ls; done",
      "for n in `rm x`; do ls; done",
      "for PATH in /x; do ls; done",
      "echo for n in $(rm x)",
      "for n in 1 2; do echo $n; done",
      "X=$(rm x)",
      "PATH=/x; ls",
      "X=1; echo $X",
      "echo {a,b}",
      "[[ $(rm x) ]]",
      "[[ a ]] && rm x",
      "timeout 5 rm x",
      "command rm x",
      "time ls",
      "eval ls",
      "if true; then ls",
      "case a in a) ls;; esac",
      "f() { ls; }",
      "cat <<'EOF'\nx\nEOF\nrm x",
    ]) {
      expect(`${line}: ${say(line)}`).toBe(`${line}: ask`);
    }
  });

  test("[RA16] a loop requires a question until a command has run, because then the shell's variables are known", () => {
    using place = stateIn();
    const { state, say } = place;
    state.knowsShell = false;
    for (const line of ["for n in 1 2; do ls; done", "X=1; ls", "read x"])
      expect(say(line)).toBe("ask");
    expect(say("while false; do ls; done")).toBe("allow");
    state.knowsShell = true;
    expect(say("for n in 1 2; do ls; done")).toBe("allow");
  });

  test("[RA17] rules that deny come first, prefixes end at a word, and each part of a line needs its own", () => {
    using place = stateIn();
    const { state, say } = place;
    state.addRules("allow", ["Bash(npm run test:*)", "Bash(make *)"], "session", place.folder);
    state.addRules("deny", ["Bash(npm run test secret)"], "session", place.folder);
    expect(say("npm run test unit")).toBe("allow");
    expect(say("npm run testing")).toBe("ask");
    expect(say("npm run test && rm x")).toBe("ask");
    expect(say("npm run test > /etc/x")).toBe("ask");
    expect(say("make all")).toBe("allow");
    expect(say("npm run test secret")).toBe("deny");
    expect(say("ls; npm run test secret")).toBe("deny");
    expect(say("if true; then npm run test secret; fi")).toBe("deny");
    expect(coversCommand("git *", "git")).toBe(true);
    expect(coversCommand("git *", "github")).toBe(false);
    expect(splitRules(["Bash(git log:*) Edit,Read(//etc/**)"])).toEqual([
      "Bash(git log:*)",
      "Edit",
      "Read(//etc/**)",
    ]);
  });

  test("[RA18] accepting edits covers commands that change files inside the folder, and no others", () => {
    using place = stateIn("acceptEdits");
    const { say } = place;
    expect(say("mkdir -p sub/x && touch sub/x/y && rm -r sub/x")).toBe("allow");
    expect(say("echo x > a.txt")).toBe("allow");
    expect(say("echo x > etc/a.txt")).toBe("ask");
    expect(say("rm -rf /")).toBe("ask");
    expect(say("cp a.txt ../b.txt")).toBe("ask");
    expect(say("npm install")).toBe("ask");
    for (const line of ["chmod 600 a.txt", "ln -s /etc x", "truncate -s 0 a.txt", "tee a.txt"]) {
      expect([line, say(line)]).toEqual([line, "ask"]);
    }
  });

  test("[RA18] accepting edits never covers a change outside of the folder", () => {
    using place = stateIn("acceptEdits");
    for (const line of [
      "rm -rf e?c/passwd",
      "rm -rf .[.]/x",
      "cp a.txt e?c",
      "echo x > e?c/y",
      "cp -t.. a.txt",
      "cp -tetc a.txt",
      "cp --target-directory=.. a.txt",
      "cp --target=etc a.txt",
      "mv --target-directory=.. a.txt",
      "touch -r ../x a.txt",
      "sed '-i../bk_*' s/a/b/ a.txt",
      "sed -ie s/a/b/ a.txt",
      "cd -P .. && touch x",
      "mkdir q && cd q && touch x",
    ]) {
      expect([line, place.say(line)]).toEqual([line, "ask"]);
    }
    expect(place.say("sed -i s/a/b/ a.txt")).toBe("allow");
  });

  test("[RA18] nor one of a file that could run something, in upper or lower case", () => {
    using place = stateIn("acceptEdits");
    const { state, folder } = place;
    const write = (path: string) =>
      judgeWrite(state, "Write", join(folder, path), () => false).behavior;
    for (const path of [
      ".git/hooks/x",
      ".GIT/hooks/x",
      ".Claude/settings.json",
      ".envrc",
      ".npmrc",
      ".devcontainer/x",
      ".BashRC",
    ]) {
      expect([path, write(path), place.say(`touch ${path}`)]).toEqual([path, "ask", "ask"]);
    }
    expect(write(".env.example")).toBe("allow");
  });
});
