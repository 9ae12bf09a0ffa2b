import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { stateIn } from "./permission-place.ts";

describe("rules that deny", () => {
  test("[RA60] a denied command is denied in every disguise", () => {
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
      "cd -P secret && cat s.txt",
      "cd secret",
      "cd sub; cd ..; cd secret; cat s.txt",
      "cd sub/x; cd ..; cd ..; cat secret/s.txt",
      "(cd sub); cat secret/s.txt",
      "pushd secret; cat s.txt",
      "cat SECRET/s.txt",
      'cat "$(pwd)/secret/s.txt"',
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
      "cp -tkept a.txt",
      "sed -n 'w kept/n' a.txt",
    ]) {
      expect([line, say(line)]).toEqual([line, "deny"]);
    }
    for (const line of [
      "cat a.txt",
      "cat kept/n",
      "echo secret/s.txt",
      "touch secret/n",
      "cat <<E\nsee secret/s.txt\nE",
      "git check-ignore secret/s.txt",
      "git rm --cached secret/s.txt",
      "tar cf x.tar --exclude=secret .",
      "tar cf x.tar --exclude secret .",
    ]) {
      expect([line, say(line)]).not.toEqual([line, "deny"]);
    }
  });
});
