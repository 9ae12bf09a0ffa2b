import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@signalbox/protocol";
import { openToolStage } from "./tool-stage.ts";

setDefaultTimeout(180_000);

/** A ripgrep of another distributor, whose output counts as correct. */
const judge = fileURLToPath(
  new URL(
    `../../../node_modules/claude-code-2.1.7/vendor/ripgrep/${process.arch}-${process.platform}/rg`,
    import.meta.url,
  ),
);

const files = {
  ".git/HEAD": "foo in the repository\n",
  ".gitignore": "out/\n*.log\n!kept.log\n",
  ".ignore": "skipped.txt\n",
  ".rgignore": "rgskipped.txt\n",
  ".hidden/deep.ts": "const foo = 1;\n",
  "sub/.svn/entries": "foo\n",
  "out/built.ts": "foo\n",
  "a.log": "foo\n",
  "kept.log": "foo\n",
  "skipped.txt": "foo\n",
  "rgskipped.txt": "foo\n",
  "src/one.ts": "import foo from 'bar';\nexport interface Foo {}\nfunction foobar() {}\n// FOO\n",
  "src/two.tsx": "<Foo a={1}>\n  foo\n</Foo>\n",
  "src/deep/three.py": "def foo(x):\n    return x{2\n\n\nclass Foo:\n    pass\n",
  "src/deep/four.rs": "fn foo() -> interface{} { aab }\n",
  Makefile: "all:\n\techo foo\n",
  "doc/read me.md": "# Foo\n\nfoo\nbar\n\nfoo bar foo\nÄpfel über Ünter\nstart end\nend start\n",
  "doc/lines.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n",
  "doc/dos.txt": "foo\r\nbar\r\n",
  "doc/odd.txt": "a.b\na+b\n[x]\n\\d\n$9\ntab\there\n-dash\n",
  "doc/vowels.txt": "aeiou\nxyz\nbcd\n",
};

/** Each row has the input, and the same in ripgrep's own options if it is more than a pattern. */
const rows: [JsonObject, string[]?][] = [
  ...[
    "foo",
    "(?i)FOO",
    "(?m)^foo$",
    "(?s)foo.",
    "(?x) f o o  # words",
    "(?P<name>foo)bar",
    "(?<name>foo)bar",
    "(?U)fo+",
    "(?i:foo) bar",
    "(?-u)\\w+foo",
    "[[:alpha:]]+\\(",
    "[[:upper:]]oo",
    "[[:^alpha:]]oo",
    "\\Afoo",
    "foo\\z",
    "\\<foo\\>",
    "\\<foo",
    "bar\\>",
    "\\bfoo\\b",
    "\\Boo\\b",
    "\\b{start}foo",
    "foo\\b{end}",
    "\\b{start-half}bar",
    "[a-z--[aeiou]]{3}",
    "[a&&b]",
    "[a-z&&[^aeiou]]yz",
    "[a-c~~b-d]cd",
    "\\p{Lu}pfel",
    "\\p{Greek}",
    "\\pL+ber",
    "\\x{46}oo",
    "\\u{46}oo",
    "\\x46oo",
    "a\\.b",
    "a\\+b",
    "\\[x\\]",
    "\\\\d",
    "\\$9",
    "\\t",
    "-dash",
    "^$",
    "^\\s*$",
    "foo|bar",
    "(foo|bar) (bar|foo)",
    "fo{2}",
    "fo{1,}b",
    "a{2}b",
    "x\\{2",
    "interface\\{\\}",
    "r$",
    "ÜNTER",
    "(?i)ÜNTER",
    ".*",
    "nothing of the kind",
    "^(a+)+$",
    // These are expressions that ripgrep does not accept.
    "\\Qfoo\\E",
    "a{,2}",
    "interface{}",
    "x{2",
    "(",
    "[",
    "*",
    "(?<=x)foo",
    "(foo)\\1",
    "foo\\nbar",
    "\\p{Nonsense}",
    "[z-a]",
    "a{3,1}",
    "(a{1000}){1000}{1000}",
  ].map((pattern): [JsonObject] => [{ pattern }]),
  [{ pattern: "FOO", "-i": true }, ["-i", "FOO"]],
  [{ pattern: "foo\\nbar", multiline: true }, ["-U", "--multiline-dotall", "foo\\nbar"]],
  [{ pattern: "two.*four", multiline: true }, ["-U", "--multiline-dotall", "two.*four"]],
  [{ pattern: "^t\\w+$", multiline: true }, ["-U", "--multiline-dotall", "^t\\w+$"]],
  [{ pattern: "five", "-A": 2 }, ["-A2", "five"]],
  [{ pattern: "five", "-B": 2 }, ["-B2", "five"]],
  [{ pattern: "two|nine", "-C": 1 }, ["-C1", "two|nine"]],
  [{ pattern: "five", context: 1, "-C": 3, "-A": 4 }, ["-C1", "five"]],
  [{ pattern: "Foo", "-C": 1 }, ["-C1", "Foo"]],
  [{ pattern: "five", "-A": -1 }, ["-A", "-1", "five"]],
  [{ pattern: "foo", "-o": true }, ["-o", "foo"]],
  [{ pattern: "fo+ ?", "-o": true, "-i": true }, ["-o", "-i", "fo+ ?"]],
  [{ pattern: "foo", "-n": false }, ["-N", "foo"]],
  [{ pattern: "foo", path: "src" }, ["foo", "src"]],
  [{ pattern: "foo", path: "src/one.ts" }, ["foo", "src/one.ts"]],
  [{ pattern: "foo", path: "a.log" }, ["foo", "a.log"]],
  [{ pattern: "foo", path: "out" }, ["foo", "out"]],
  ...(
    [
      ["*.ts"],
      ["*.{ts,tsx}"],
      ["*.ts *.py", "*.ts", "*.py"],
      ["*.ts,*.py", "*.ts", "*.py"],
      ["!*.ts"],
      ["src/**"],
      ["/src/*.ts"],
      ["src/*.ts"],
      ["**/deep/**"],
      ["deep/*.py"],
      ["*.log"],
      ["out/**"],
      ["[a-m]*"],
      ["t?o.tsx"],
      ["read*"],
      ["{"],
      ["[z-"],
    ] as const
  ).map(([glob, ...split]): [JsonObject, string[]] => [
    { pattern: "foo", glob },
    [...(split.length > 0 ? split : [glob]).flatMap((one) => ["-g", one]), "foo"],
  ]),
  ...["ts", "py", "make", "rust", "markdown", "md", "log", "js", "nonsense", "all"].map(
    (type): [JsonObject, string[]] => [{ pattern: "foo", type }, ["-t", type, "foo"]],
  ),
];

function openFolder() {
  const stage = openToolStage({ files, environment: { PATH: "/nowhere" } });
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
  writeFileSync(stage.at("doc/wide.txt"), utf16("wide foo\nÄ\n"));
  writeFileSync(stage.at("doc/wide-big.txt"), utf16("big foo\n").swap16());
  writeFileSync(stage.at("doc/bom.txt"), "\uFEFFfoo behind a mark\n");
  writeFileSync(stage.at("doc/latin.txt"), Buffer.from("caf\xe9 foo\n", "latin1"));
  writeFileSync(stage.at("data.bin"), "foo\nx\0foo\nfoo\n");
  const rg = (args: readonly string[], folder = stage.folder) => {
    const fixed = ["--no-config", "--no-messages", "--hidden", "--no-heading", "--sort", "path"];
    const globs = [".git", ".svn"].flatMap((one) => ["-g", `!${one}`]);
    const { stdout, stderr, status } = spawnSync(judge, [...fixed, ...globs, ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"], // Otherwise it might search its input.
    });
    expect(status).not.toBeNull();
    return { stdout: stdout.replaceAll("\r", ""), refusal: stderr === "" ? undefined : stderr };
  };
  return { stage, rg };
}

/** Extracts the complaint: its wording differs a little between ripgrep's versions. */
const complaint = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^rg: |^error: /.test(line))
    .join("\n");

describe("searching like ripgrep", () => {
  test("[RA27] Grep gives the same answer as another ripgrep for any query", async () => {
    const { stage, rg } = openFolder();
    using _ = stage;
    const right: Record<string, string> = {};
    const ours: Record<string, string> = {};
    for (const [input, words] of rows) {
      const name = JSON.stringify(input);
      const args = words ?? ["-e", String(input["pattern"])];
      const { stdout, refusal } = rg(words?.includes("-N") ? args : ["-n", ...args]);
      right[name] =
        refusal === undefined
          ? stdout.trimEnd() || "No matches found"
          : `refused\n${complaint(refusal)}`;
      const answer = await stage.call("Grep", { ...input, output_mode: "content", head_limit: 0 });
      ours[name] = answer.isError ? `refused\n${complaint(answer.text)}` : answer.text.trimEnd();
    }
    expect(ours).toEqual(right);
    expect(
      Object.values(right).filter((text) => text.startsWith("refused")).length,
    ).toBeGreaterThan(15);
    expect(new Set(Object.values(right)).size).toBeGreaterThan(50);
  });

  test("[RA27] files and counts equal ripgrep's: of lines, and with multiline of matches", async () => {
    const { stage, rg } = openFolder();
    using _ = stage;
    const lines = (text: string) => text.split("\n").filter(Boolean).toSorted();
    for (const pattern of ["foo", "(?i)foo", "o", "e\\b", "^$"]) {
      const counted = await stage.call("Grep", { pattern, output_mode: "count" });
      expect(lines(String(counted.structured["content"]))).toEqual(
        lines(rg(["-c", pattern]).stdout),
      );
      const named = await stage.call("Grep", { pattern });
      const { filenames } = named.structured as { filenames: string[] };
      expect(filenames.toSorted()).toEqual(lines(rg(["-l", pattern]).stdout));
    }
    expect((await stage.call("Grep", { pattern: "o", glob: "*.none" })).text).toBe(
      "No files found",
    );
    const input = { pattern: "o.*e", multiline: true, path: "doc/lines.txt", output_mode: "count" };
    const across = await stage.call("Grep", input);
    expect(across.text).toBe("doc/lines.txt:1\n\nFound 1 total occurrence across 1 file.");
    expect(rg(["-U", "--multiline-dotall", "-c", "o.*e", "doc/lines.txt"]).stdout).toBe("1\n");
  });

  test("[RA27] a binary file is searched when it is named, and reported as binary", async () => {
    const { stage, rg } = openFolder();
    using _ = stage;
    const named = { pattern: "foo", path: "data.bin" };
    expect((await stage.call("Grep", named)).text).toBe("Found 1 file\ndata.bin");
    const content = await stage.call("Grep", { ...named, output_mode: "content" });
    const notice = 'binary file matches (found "\\0" byte around offset 5)';
    expect(content.text).toBe(`1:foo\n3:foo\n${notice}`);
    expect(rg(["foo", "data.bin"]).stdout).toContain(notice);
    expect((await stage.call("Grep", { pattern: "foo" })).text).not.toContain("data.bin");
  });

  test("[RA27] long answers come in parts, and long lines are omitted", async () => {
    using stage = openToolStage({
      files: { "a.txt": "x\n".repeat(300), "b.txt": `${"y".repeat(501)}\n` },
    });
    const ask = (input: JsonObject) => stage.call("Grep", { output_mode: "content", ...input });
    const first = await ask({ pattern: "x" });
    expect(first.text).toEndWith("\na.txt:250:x\n\n[Showing results with pagination = limit: 250]");
    expect(first.structured).toMatchObject({ numLines: 250, totalLines: 300, appliedLimit: 250 });
    const rest = await ask({ pattern: "x", offset: 298 });
    expect(rest.text).toBe(
      "a.txt:299:x\na.txt:300:x\n\n[Showing results with pagination = offset: 298]",
    );
    expect((await ask({ pattern: "x", offset: 300 })).text).toStartWith(
      "No entries at this offset",
    );
    expect((await ask({ pattern: "x", head_limit: 0 })).structured["numLines"]).toBe(300);
    expect((await ask({ pattern: "y" })).text).toBe("b.txt:1:[Omitted long matching line]");
    expect((await ask({ pattern: "x", head_limit: -1 })).isError).toBe(true);
    expect((await ask({ pattern: "x\0" })).text).toContain("pattern contains a NUL character");
    utimesSync(stage.at("a.txt"), 1, 1);
    const files = await stage.call("Grep", { pattern: "x|y", head_limit: 1 });
    expect(files.text).toBe("Found 1 file limit: 1\nb.txt");
  });

  test("[RA27] names may contain line feeds, and unreadable files are not found", async () => {
    using stage = openToolStage({
      files: { "a\n1:b.txt": "foo\n", "secret/c.txt": "foo\n", "--help": "foo\n" },
      args: ["--settings", JSON.stringify({ permissions: { deny: ["Read(secret/**)"] } })],
    });
    const answers = [
      [{}, "Found 2 files\n"],
      [{ output_mode: "count" }, "--help:1\na\n1:b.txt:1\n\nFound 2 total occurrences"],
      [{ output_mode: "content" }, "--help:1:foo\na\n1:b.txt:1:foo"],
    ] as const;
    for (const [input, text] of answers) {
      const answer = await stage.call("Grep", { pattern: "foo", ...input });
      expect(answer.text).toStartWith(text);
      expect(answer.text).not.toContain("secret");
    }
  });
});

describe("finding files by name", () => {
  test("[RA27] Glob supports ripgrep's patterns, lists the oldest file first and ignored ones too, and takes no long time", async () => {
    using stage = openToolStage({
      files: {
        ".git/config.ts": "",
        ".gitignore": "out/\n",
        "out/c.ts": "",
        "b.ts": "",
        "src/deep/a.ts": "",
        ".hidden.ts": "",
        [`${"a".repeat(200)}!`]: "",
      },
    });
    for (const [at, name] of ["src/deep/a.ts", "b.ts", "out/c.ts", ".hidden.ts"].entries()) {
      utimesSync(stage.at(name), at + 1, at + 1);
    }
    const glob = async (pattern: string, path = ".") =>
      (await stage.call("Glob", { pattern, path })).text.split("\n");
    expect(await glob("*.ts")).toEqual(["src/deep/a.ts", "b.ts", "out/c.ts", ".hidden.ts"]);
    expect(await glob("**/[ab].{ts,js}")).toEqual(["src/deep/a.ts", "b.ts"]);
    expect(await glob("src/**/*")).toEqual(["src/deep/a.ts"]);
    expect(await glob("./src/*.ts")).toEqual(["No files found"]);
    expect(await glob(stage.at("*/c.ts"))).toEqual(["out/c.ts"]);
    expect(await glob("deep/*.ts", "src")).toEqual(["src/deep/a.ts"]);
    expect((await glob("{")).join(" ")).toContain("unclosed alternate group");
    expect((await glob("a\0")).join(" ")).toContain("pattern contains a NUL character");
    expect(await glob(`${"*a".repeat(30)}b`)).toEqual(["No files found"]);
  });
});

describe("the search program", () => {
  const fake = (stage: ReturnType<typeof openToolStage>, script: string) => {
    mkdirSync(stage.at("bin"));
    writeFileSync(stage.at("bin/rg"), `#!/bin/sh\n${script}\n`);
    chmodSync(stage.at("bin/rg"), 0o755);
    const { environment } = stage.session.context;
    Object.assign(environment, {
      PATH: `.:bin:${stage.at("bin")}:/bin:/usr/bin`,
      USE_BUILTIN_RIPGREP: "0",
    });
  };

  test("[RA27] it is the machine's own only on request, and one thread is enough", async () => {
    using stage = openToolStage({ files: { "a.txt": "foo\n" } });
    fake(
      stage,
      `case "$*" in *"-j 1 "*) printf 'a.txt\\0';; *) echo "os error 11" >&2; exit 101;; esac`,
    );
    expect((await stage.call("Grep", { pattern: "nothing" })).text).toBe("Found 1 file\na.txt");
    Object.assign(stage.session.context.environment, { USE_BUILTIN_RIPGREP: "1" });
    expect((await stage.call("Grep", { pattern: "nothing" })).text).toBe("No files found");
    const none = { USE_BUILTIN_RIPGREP: "0", PATH: ".:bin" };
    Object.assign(stage.session.context.environment, none);
    const answer = await stage.call("Grep", { pattern: "foo" });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("There is no ripgrep here");
  });

  test("[RA27] an endless search ends by its timeout with what it found, or by an interrupt", async () => {
    using stage = openToolStage({ files: { "a.txt": "foo\n" } });
    const { environment } = stage.session.context;
    Object.assign(environment, { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "1" });
    spawnSync("mkfifo", [stage.at("pipe")]);
    const stuck = await stage.call("Grep", { pattern: "foo", path: "pipe" });
    expect(stuck.text).toContain("The search was stopped after 1 seconds");
    fake(stage, `printf 'a.txt\\0'; exec sleep 600`);
    const partly = await stage.call("Grep", { pattern: "foo" });
    expect(partly.text).toEndWith("there may be more matches.\n\nFound 1 file\na.txt");
    expect(partly.structured["timedOut"]).toBe(true);
    Object.assign(environment, { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "600" });
    const ended = stage.call("Grep", { pattern: "foo" }).catch(() => undefined);
    stage.interrupt();
    await ended;
  });
});
