import { afterEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { memoryAtFile } from "../src/memory/at-file.ts";
import { memoryAtStart } from "../src/memory/at-start.ts";
import { getImports } from "../src/memory/imports.ts";
import { tellMemory } from "../src/memory/met.ts";
import { fitsPatterns, getPatterns } from "../src/memory/patterns.ts";
import { withoutComments } from "../src/memory/prose.ts";
import { shownBy } from "../src/memory/shown-by.ts";
import { getOpening } from "../src/memory/tell.ts";
import type { Entry } from "../src/model/conversation.ts";
import { openToolStage, type ToolStageOptions } from "./tool-stage.ts";

const open: Disposable[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one[Symbol.dispose]();
});

/** Creates files by their path: `work/…` is the folder, `home/…` the home. */
function createPlace(files: Readonly<Record<string, string>>, more: ToolStageOptions = {}) {
  const stage = openToolStage(more);
  open.push(stage);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(stage.place, name)), { recursive: true });
    writeFileSync(join(stage.place, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    ...stage,
    write,
    link: (target: string, name: string) =>
      symlinkSync(join(stage.place, target), join(stage.place, name)),
    /** Returns the first word of each file that is loaded at the start. */
    async start() {
      const loaded = await memoryAtStart(stage.session);
      stage.session.memory = loaded.filter(({ path }) => path.startsWith(stage.place));
      return stage.session.memory.map(firstWord);
    },
    at: async (name: string) =>
      (await memoryAtFile(stage.session, join(stage.folder, name))).map(firstWord),
  };
}
const firstWord = ({ text }: { text: string }): string => /^\S+/.exec(text)![0];

describe("imports", () => {
  test.each([
    ["See @a.md and @./b.md, @~/c.md @/d.md", ["/p/a.md", "/home/c.md", "/d.md"]],
    ["@a\\ b.md @a.md#part @Makefile @a.md", ["/p/a b.md", "/p/a.md", "/p/Makefile"]],
    ["**@a.md** _@b.md_\n- @c.md\n> @d.md", ["/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"]],
    ["me@a.md (@b.md) `@c.md` ``@d.md`` @e.png @ @/ @//f.md @%g", []],
    [
      "```\n@a.md\n```\n~~~ts\n@b.md\n~~~\n\n    @c.md\n\n<div>\n@d.md\n</div>\n\n@e.md",
      ["/p/e.md"],
    ],
    ["- one\n  ```\n  @a.md\n  ```\n\n    @b.md\n# Head\n\n    @c.md", ["/p/b.md"]],
  ])("[RA62] of %j", (text, found) => {
    expect(getImports(text, "/p/CLAUDE.md", "/home")).toEqual(found);
  });

  test("[RA62] are followed four levels deep, each file once, also in a cycle", async () => {
    const place = createPlace({
      "work/CLAUDE.md": "one @a.md @z.md",
      "work/a.md": "two @sub/b.md @CLAUDE.md",
      "work/sub/b.md": "three @c.md",
      "work/sub/c.md": "four @d.md",
      "work/sub/d.md": "five @e.md",
      "work/sub/e.md": "six",
      "work/z.md": "seven @a.md",
    });
    expect(await place.start()).toEqual(["one", "two", "three", "four", "five", "seven"]);
  });

  test("[RA62] of a project stay in the folder unless a person approved; the user's do not", async () => {
    const place = createPlace({
      "work/CLAUDE.md": "project @../out.md @link.md @in.md",
      "work/in.md": "in",
      "out.md": "out",
      "home/.claude/CLAUDE.md": "user @../../else.md",
      "else.md": "else",
    });
    place.link("out.md", "work/link.md");
    expect(await place.start()).toEqual(["user", "else", "project", "in"]);
    const approved = { [place.folder]: { hasClaudeMdExternalIncludesApproved: true } };
    place.write("home/.claude.json", JSON.stringify({ projects: approved }));
    place.session.memory = undefined;
    expect(await place.start()).toEqual(["user", "else", "project", "out", "in"]);
  });
});

describe("at the start", () => {
  const files = {
    "home/.claude/CLAUDE.md": "user",
    "home/.claude/rules/a.md": "user-rule",
    "CLAUDE.md": "above",
    ".claude/rules/a.md": "above-rule",
    "CLAUDE.local.md": "above-local",
    "work/CLAUDE.md": "project",
    "work/.claude/CLAUDE.md": "dot",
    "work/.claude/rules/a.md": "rule",
    "work/.claude/rules/deep/b.md": "deep-rule",
    "work/.claude/rules/some.md": "---\npaths: src/**\n---\nsome-rule",
    "work/.claude/rules/all.md": "---\npaths: '**'\n---\nall-rule",
    "work/CLAUDE.local.md": "---\nby: me\n---\nlocal",
    "work/sub/CLAUDE.md": "sub",
  };

  test("[RA61] files are loaded from the user to the folder, from the root down", async () => {
    expect(await createPlace(files).start()).toEqual(
      "user user-rule above above-rule above-local project dot rule all-rule deep-rule local".split(
        " ",
      ),
    );
    const sources = (names: string) =>
      createPlace(files, { args: ["--setting-sources", names] }).start();
    expect(await sources("user")).toEqual(["user", "user-rule"]);
    expect(await sources("local")).toEqual(["above-local", "local"]);
  });

  test("[RA61] settings and the environment can exclude and add files", async () => {
    const claudeMdExcludes = ["**/rules/**", "**/CLAUDE.local.md", "**/.claude/CLAUDE.md"];
    const args = ["--settings", JSON.stringify({ claudeMdExcludes })];
    expect(await createPlace(files, { args }).start()).toEqual(["above", "project"]);
    const environment = { CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1" };
    expect(await createPlace(files, { environment }).start()).toEqual([]);
    const more = createPlace(
      { "extra/CLAUDE.md": "extra" },
      { environment: { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" } },
    );
    more.session.permission.addFolder(join(more.place, "extra"));
    expect(await more.start()).toEqual(["extra"]);
  });

  test("[RA61] pipes, folders, dangling links and blank files are skipped; large files are not", async () => {
    const place = createPlace({
      "CLAUDE.md": " \n<!-- nothing -->\n",
      "work/.claude/CLAUDE.md/x": "folder",
      "work/.claude/rules/a.md": "rule",
      "out/b.md": "out-rule",
      "work/docs/c.md": "linked",
      "large.md": `large ${"word ".repeat(200_000)}`,
    });
    execFileSync("mkfifo", [join(place.folder, "CLAUDE.local.md")]);
    place.link("large.md", "work/CLAUDE.md");
    place.link("work/docs/c.md", "work/.claude/rules/c.md");
    place.link("out", "work/.claude/rules/out");
    place.link("nowhere", "work/.claude/rules/d.md");
    expect(await place.start()).toEqual(["large", "rule", "linked"]);
    expect(place.session.memory?.[0]?.text.length).toBeGreaterThan(1_000_000 - 10);
  });

  test.each([
    ["a\n<!-- x -->\nb <!-- y --> c", "a\nb <!-- y --> c"],
    ["<!-- x\n\ny --> b\n<!-- open", " b\n<!-- open"],
    ["```\n<!-- x -->\n```\n<!-- y -->", "```\n<!-- x -->\n```\n"],
  ])("[RA61] comments at the beginning of a line are removed: %j", (text, left) => {
    expect(withoutComments(text)).toBe(left);
  });
});

describe("when the model uses a file", () => {
  test.each([
    ["src/**", "lib/src/a.ts", true],
    ["*.ts", "a/b.ts", true],
    ["/a/*.ts", "a/b.ts", true],
    ["w/*.js", "q/w/e.js", false],
    ["q/*", "q/w/e.js", true],
    ["{q,z}/**/*.{js,jsx}, x", "q/w/e.js", true],
    ["'*.md', !a.md", "a.md", false],
    ["./a/*.ts", "a/b.ts", false],
    ["**/x", "../x", false],
  ])("[RA63] paths %j match %s: %p", (paths, way, fits) => {
    expect(fitsPatterns(getPatterns(paths), way)).toBe(fits);
  });

  const files = {
    "work/CLAUDE.md": "project",
    "work/sub/CLAUDE.md": "sub @imp.md",
    "work/sub/imp.md": "import",
    "work/sub/CLAUDE.local.md": "sub-local",
    "work/sub/.claude/rules/a.md": "sub-rule",
    "work/sub/deep/CLAUDE.md": "deep",
    "work/sub/deep/x.ts": "x",
    "work/.claude/rules/ts.md": "---\npaths:\n  - '**/*.ts'\n---\nrule",
    "home/.claude/rules/ts.md": "---\npaths: ['*.ts', '*.js']\n---\nuser-rule",
  };

  test("[RA63] it gets the rules for the file and memory of the folders on the way to it", async () => {
    const place = createPlace(files);
    expect(await place.start()).toEqual(["project"]);
    expect(await place.at("sub/deep/x.ts")).toEqual(
      "user-rule sub import sub-local sub-rule deep rule".split(" "),
    );
    expect(await place.at("sub/y.txt")).toEqual(["sub", "import", "sub-local", "sub-rule"]);
    expect(await place.at("y.txt")).toEqual([]);
    expect(await place.at("../y.ts")).toEqual([]);
  });

  test("[RA63] each file is told once while the model can see it, and not if it has read the file itself", async () => {
    const place = createPlace(files);
    await place.start();
    await place.call("Read", { file_path: join(place.folder, "sub/CLAUDE.local.md") });
    const entries: Entry[] = [];
    const meet = async (memoryMet = new Set<string>()) => {
      const reader = { session: place.session, entries, memoryMet, memoryLoaded: [] };
      return tellMemory(reader, join(place.folder, "sub/a.txt"));
    };
    const met = new Set<string>();
    const told = await meet(met);
    expect(told.map((text) => text.split("\n").at(-1))).toEqual([
      "sub @imp.md",
      "import",
      "sub-rule",
    ]);
    expect(await meet(met)).toEqual([]);
    for (const text of told) {
      const content = [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }];
      entries.push({ role: "user", content });
    }
    expect(await meet()).toEqual([]);
    entries.length = 0; // This simulates a summary of the conversation.
    expect(await meet()).toHaveLength(3);
  });

  test.each([
    ["cat a", ["a"]],
    ["head -n 5 a; cat -n b && echo x", ["a", "b"]],
    ["sed -n 1,5p a", ["a"]],
    ["grep -n word a", ["a"]],
    ["cat a b", []],
    ["cat a | wc", []],
    ["cat a > b", []],
    ["cd sub && cat a", []],
    ["sed -i s/a/b/ c", []],
  ])("[RA63] %j shows %j", (line, shown) => {
    expect(shownBy(line)).toEqual(shown);
  });
});

test("[RA61] the opening of the conversation names each file", () => {
  const file = { type: "Project", patterns: [] } as const;
  const [entry] = getOpening([
    { ...file, path: "/a/CLAUDE.md", text: "One." },
    { ...file, path: "/b.md", text: "Two." },
  ]);
  expect(String(entry?.content[0]?.["text"])).toMatch(
    /^<system-reminder>\n[^]*\/a\/CLAUDE.md[^]*One\.[^]*\/b.md[^]*Two\.\n<\/system-reminder>$/,
  );
  expect(getOpening([])).toEqual([]);
});
