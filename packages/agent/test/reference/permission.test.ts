import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol";
import type { PermissionMode } from "../../src/command-line/options.ts";
import { judgeCommand, onlyLooks } from "../../src/reference/permission/bash.ts";
import { decide } from "../../src/reference/permission/decide.ts";
import { judgeWrite } from "../../src/reference/permission/files.ts";
import { coversCommand, splitRules } from "../../src/reference/permission/rule.ts";
import { PermissionState } from "../../src/reference/permission/state.ts";
import { openToolStage } from "./tool-stage.ts";

function stateIn(mode: PermissionMode = "default") {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-permission-")));
  const folder = join(place, "work");
  mkdirSync(join(folder, "sub"), { recursive: true });
  symlinkSync("/etc", join(folder, "etc"));
  const state = new PermissionState({ mode, folder, home: place, folders: [] });
  state.knowsShell = true;
  const say = (line: string) => judgeCommand(state, line, folder).behavior;
  return { state, folder, say, [Symbol.dispose]: () => rmSync(place, { recursive: true }) };
}

describe("rules that deny", () => {
  test("[RA60] a denied command is denied in whatever clothes it comes", () => {
    using place = stateIn();
    const { state, say } = place;
    state.addRules("deny", ["Bash(rm:*)"], "session", "/");
    state.addRules("allow", ["Bash"], "session", "/");
    for (const line of [
      "FOO=1 BAR=2 timeout -s KILL 5 nice -n 3 rm x",
      "/bin/rm x",
      "env -u A FOO=1 rm x",
      "nohup rm x",
      "ls | xargs -n 1 rm",
      "find . -exec rm {} \\;",
      `bash -lc "rm x"`,
      `sh -c 'sh -c "rm x"'`,
      "echo $(rm x)",
      `echo "a $(echo $(rm x))"`,
      "echo `rm x`",
      "cat <(rm x)",
      `"rm" x`,
      "r\\m x",
      "r''m x",
      "$'\\x72m' x",
      "R=rm; $R x",
      "true; \\\n rm x",
      "{ rm x; }",
      "f() { rm x; }; f",
      "case a in a) rm x;; esac",
      "eval rm x",
      "exec -a name rm x",
      "[[ 1 ]] && rm x",
    ]) {
      expect([line, say(line)]).toEqual([line, "deny"]);
    }
    for (const line of ["echo rm x", `echo "(rm x)"`, "echo '$(rm x)'", "git rmx", "ls # ; rm x"]) {
      expect([line, say(line)]).not.toEqual([line, "deny"]);
    }
  });

  test("[RA60] a denied file is denied to commands, too", () => {
    using place = stateIn();
    const { state, say, folder } = place;
    mkdirSync(join(folder, "secret"));
    symlinkSync("secret/s.txt", join(folder, "link"));
    state.addRules("deny", ["Read(./secret/**)", "Edit(./kept/**)"], "session", folder);
    state.addRules("allow", ["Bash"], "session", folder);
    for (const line of [
      "cat secret/s.txt",
      "cd secret && cat s.txt",
      "cat < secret/s.txt",
      "grep -r x secret",
      "ls ./sub/../secret",
      "F=secret/s.txt; cat $F",
      "cat $PWD/secret/s.txt",
      "echo $(timeout 5 cat secret/s.txt)",
      "unheard-of --file=secret/s.txt",
      "cat link",
      "cp secret/s.txt copy",
      "echo x > kept/n",
      "cd kept; touch n",
      "echo x | tee kept/n",
      "sed -i s/a/b/ kept/n",
      "rm -rf kept",
    ]) {
      expect([line, say(line)]).toEqual([line, "deny"]);
    }
    for (const line of ["cat a.txt", "cat kept/n", "echo secret/s.txt", "touch secret/n"]) {
      expect([line, say(line)]).not.toEqual([line, "deny"]);
    }
  });

  test("[RA15] what reads by a side door is asked about", () => {
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
});

describe("options", () => {
  test("[RA15] harmless ones leave a command free, joined and glued and long", () => {
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

  test("[RA16] whatever option is not known to be harmless is asked about, in every spelling", () => {
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
  test("[RA15] what only looks inside the folder is free", () => {
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
      expect(onlyLooks(line)).toBe(true);
    }
  });

  test("[RA16] what changes, leaves the folder, or cannot be seen through is asked for", () => {
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

  test("[RA16] a loop is asked for until a command has run: which variables the shell has is known then", () => {
    using place = stateIn();
    const { state, say } = place;
    state.knowsShell = false;
    for (const line of ["for n in 1 2; do ls; done", "X=1; ls", "read x"])
      expect(say(line)).toBe("ask");
    expect(say("while false; do ls; done")).toBe("allow");
    state.knowsShell = true;
    expect(say("for n in 1 2; do ls; done")).toBe("allow");
  });

  test("[RA17] rules: what denies goes first, prefixes end at a word, each part of a line needs its own", () => {
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

  test("[RA18] accepting edits covers commands that change files inside, and no others", () => {
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

  test("[RA18] what accepting edits covers never changes a file outside", () => {
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

  test("[RA18] nor a file by which something could be made to run, in capital letters or small", () => {
    using place = stateIn("acceptEdits");
    const { state, folder } = place;
    const write = (path: string) => judgeWrite(state, join(folder, path), () => false).behavior;
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

describe("modes", () => {
  const ask = { behavior: "ask" as const, suggestions: [] };

  test("[RA19] bypass skips asking but no rule that denies or asks; dontAsk denies what would be asked", () => {
    using bypass = stateIn("bypassPermissions");
    expect(decide(bypass.state, "Write", () => ask).behavior).toBe("allow");
    bypass.state.addRules("deny", ["Write"], "session", bypass.folder);
    bypass.state.addRules("ask", ["Bash"], "session", bypass.folder);
    expect(decide(bypass.state, "Write", () => ask).behavior).toBe("deny");
    expect(decide(bypass.state, "Bash", () => ({ behavior: "allow" })).behavior).toBe("ask");
    using quiet = stateIn("dontAsk");
    expect(decide(quiet.state, "Write", () => ask).behavior).toBe("deny");
    expect(decide(quiet.state, "Read", () => ({ behavior: "allow" })).behavior).toBe("allow");
  });

  test("[RA20] an answer may add rules, folders and a mode; rules for settings are written there", async () => {
    const update = {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "npm *" }],
      behavior: "allow",
      destination: "localSettings",
    };
    using stage = openToolStage({
      answer: ({ input }) => ({
        behavior: "allow",
        updatedInput: input,
        updatedPermissions: [
          update,
          { type: "setMode", mode: "acceptEdits", destination: "session" },
        ],
      }),
    });
    await stage.call("Bash", { command: "npm --version" });
    await stage.call("Bash", { command: "npm --help" });
    await stage.call("Write", { file_path: "a.txt", content: "" });
    expect(stage.asked.length).toBe(1);
    const kept = await Bun.file(stage.at(".claude/settings.local.json")).json();
    expect(kept).toEqual({ permissions: { allow: ["Bash(npm *)"] } });
  });

  test("[RA21] with nobody to ask the answer is no", async () => {
    using stage = openToolStage();
    const denied = await stage.call("Bash", { command: "touch a" });
    expect(denied.isError).toBe(true);
    expect(stage.said.at(-1)).toMatchObject({ subtype: "permission_denied", tool_name: "Bash" });
  });

  test("[RA21] and says what would have been asked", async () => {
    using stage = openToolStage();
    const { folder } = stage;
    const only = `the allowed working directories for this session: '${folder}'.`;
    const outside = `The path is outside the working directories for this session ('${folder}'). Allowing runs the command as written.`;
    const sentences = {
      "cat /etc/passwd": `cat in '/etc/passwd' was blocked. For security, Claude Code may only concatenate files from ${only}`,
      "wc < /etc/passwd": `Input redirection from '/etc/passwd' was blocked. For security, Claude Code may only read files in ${only}`,
      "git diff --no-index a /etc/passwd": `git in '/etc/passwd' was blocked. For security, Claude Code may only access files with git from ${only}`,
      "mv a.txt /nowhere/b": `mv in '/nowhere/b' needs approval. ${outside}`,
      "echo a > /nowhere/b": `Output redirection to '/nowhere/b' needs approval. ${outside}`,
      "npm i && make && ls":
        "This Bash command contains multiple operations. The following parts require approval: npm i, make",
      "chmod 600 a.txt": "This command requires approval",
    };
    for (const [command, sentence] of Object.entries(sentences)) {
      expect((await stage.call("Bash", { command })).text).toBe(sentence);
    }
    const write = await stage.call("Write", { file_path: "a.txt", content: "" });
    const read = await stage.call("Read", { file_path: "/etc/passwd" });
    const asked = "Claude requested permissions to";
    expect(write.text).toBe(`${asked} write to ${folder}/a.txt, but you haven't granted it yet.`);
    expect(read.text).toBe(`${asked} read from /etc/passwd, but you haven't granted it yet.`);
  });

  test("[RA21] hooks that stand in for a host are offered folders and modes, no rule for the line", async () => {
    const hook = { hooks: [{ type: "command", command: "cat > ../told.json" }] };
    const settings = JSON.stringify({ hooks: { PermissionRequest: [hook] } });
    using stage = openToolStage({ args: ["--settings", settings] });
    const offered = async (command: string) => {
      await stage.call("Bash", { command });
      const told = JSON.parse(readFileSync(join(stage.place, "told.json"), "utf8")) as JsonObject;
      return told["permission_suggestions"];
    };
    const folder = {
      type: "addDirectories",
      directories: [stage.folder],
      destination: "session",
    };
    const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
    expect(await offered("touch a")).toEqual([folder, mode]);
    expect(await offered("echo a > b")).toEqual([folder]);
    expect(await offered("cd /etc")).toMatchObject([{ rules: [{ ruleContent: "//etc/**" }] }]);
  });

  test("[RA22] MCP servers of a repository start only where the person's settings approve them", () => {
    const servers = JSON.stringify({ mcpServers: { theirs: { command: "true" } } });
    using stage = openToolStage({
      files: {
        ".mcp.json": servers,
        ".claude/settings.json": JSON.stringify({ enableAllProjectMcpServers: true }),
      },
    });
    expect(stage.session.mcp.all).toEqual([]);
    using approved = openToolStage({
      files: {
        ".mcp.json": servers,
        ".claude/settings.local.json": JSON.stringify({ enabledMcpjsonServers: ["theirs"] }),
      },
    });
    expect(approved.session.mcp.all.map(({ name }) => name)).toEqual(["theirs"]);
  });
});

describe("plan mode", () => {
  test("[RA19] holds where writing and all of Bash are allowed; a rule for one command counts", () => {
    using place = stateIn("plan");
    const { state, folder } = place;
    state.addRules("allow", ["Bash", "Write", "Edit", "Bash(touch:*)"], "session", "/");
    const run = (line: string) => decide(state, "Bash", () => judgeCommand(state, line, folder));
    const write = (path: string) =>
      decide(state, "Write", () => judgeWrite(state, path, () => false));
    expect(run("mkdir made").behavior).toBe("ask");
    expect(run("touch made").behavior).toBe("allow");
    for (const path of [join(folder, "a.txt"), "/tmp/a.txt"]) {
      const unasked = `Cannot write to ${path} while in plan mode.`;
      expect(write(path)).toMatchObject({ behavior: "ask", unasked, firm: true });
    }
    state.setMode("default");
    expect(run("mkdir made").behavior).toBe("allow");
    expect(write(join(folder, "a.txt")).behavior).toBe("allow");
  });
});
