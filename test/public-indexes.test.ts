import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** The files that `exports` of a published package names. */
function listEntries(): string[] {
  return [...new Bun.Glob("packages/*/package.json").scanSync({ cwd: root })].flatMap((file) => {
    const found = JSON.parse(readFileSync(join(root, file), "utf8")) as {
      private?: boolean;
      exports?: Record<string, { bun?: string }>;
    };
    if (found.private) return [];
    return Object.values(found.exports ?? {}).flatMap(({ bun }) =>
      bun === undefined ? [] : [join(file, "..", bun)],
    );
  });
}

/** Names that say nothing without the module they come from. */
const generic =
  /^(?:id|name|path|role|roles|image|uuid|key|keys|value|values|type|types|kind|state|item|items|data|error|errors|tag|tags|text|line|options|result|status|parse|format|create|read|write|get|set|run|start|stop|open|close|send|Id|Name|Path|Role|Image|Value|Kind|State|Data|Error|Options|Result|Status|Question|Refusal|Generic|Misc|Detail|Json)$/;

describe("the public entries of the packages", () => {
  const entries = listEntries().map((file) => ({
    file,
    text: readFileSync(join(root, file), "utf8"),
  }));
  const lists = entries.flatMap(({ file, text }) =>
    [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, names = ""]) => ({
      file,
      names: names.split(",").map((one) => one.trim().replace(/^type |^.* as /g, "")),
    })),
  );

  test("name what they export, one by one", () => {
    expect(entries.length).toBeGreaterThan(30);
    const all = entries.filter(({ text }) => /^export (?:type )?\*/m.test(text));
    expect(all.map(({ file }) => file)).toEqual([]);
  });

  test("have no names that say nothing by themselves", () => {
    expect(lists.length).toBeGreaterThan(60);
    const found = lists.flatMap(({ file, names }) =>
      names.filter((name) => generic.test(name)).map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test("need at most 45 values for an index", () => {
    const large = entries
      .filter(({ file }) => file.endsWith("src/index.ts"))
      .map(({ file }) => ({
        file,
        values: lists
          .filter((list) => list.file === file)
          .flatMap(({ names }) => names)
          .filter((name) => /^[a-z]/.test(name)).length,
      }))
      .filter(({ values }) => values > 45);
    expect(large).toEqual([]);
  });
});
