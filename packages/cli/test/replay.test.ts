import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");
const recording = join(root, "fixtures/2.1.325/subagent-mcp-compact.ndjson");

async function replay(
  args: string[],
  input = "",
): Promise<{ exit: number; out: string[]; err: string }> {
  const child = Bun.spawn(
    [process.execPath, join(root, "packages/cli/src/main.ts"), "replay", ...args],
    {
      env: { PATH: process.env["PATH"] ?? "" },
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exit: await child.exited, out: out.split("\n").slice(0, -1), err };
}

describe("signalbox replay", () => {
  test("prints every event of a recording, one JSON object a line", async () => {
    const { exit, out } = await replay([recording]);
    const types = out.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(exit).toBe(0);
    for (const type of [
      "turn-started",
      "tool-called",
      "task-moved",
      "compaction-ended",
      "permission-asked",
    ]) {
      expect(types).toContain(type);
    }
  });

  test("prints the items as they are at the end, in order", async () => {
    const { out } = await replay([recording, "--output", "items"]);
    const orders = out.map((line) => (JSON.parse(line) as { order: number }).order);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    expect(new Set(orders).size).toBe(orders.length);
  });

  test("prints the conversation as text, and what would steer a terminal made visible", async () => {
    const line = JSON.stringify({
      type: "assistant",
      message: { id: "m", content: [{ type: "text", text: "red \u001b[31m alert" }] },
    });
    const { out } = await replay(["-", "--output", "text"], `${line}\n`);
    expect(out).toContain("red ␛[31m alert");
  });

  test("sets in what a subagent did, and further what those below it did", async () => {
    const nested = join(root, "fixtures/2.1.325/nested-subagents.ndjson");
    const { out } = await replay([nested, "--output", "text"]);
    const wanted = [
      "● Agent Lead the others [complete]",
      "    prompt: Lead the others.",
      "    ● Agent Count the files [complete]",
      "        ● Bash ls | wc -l [complete]",
      "        I have counted.",
      "    They have reported to me.",
    ];
    expect(out.filter((line) => wanted.includes(line))).toEqual(wanted);
  });

  test("reads the notes of a log's keeper, and believes them of nobody else", async () => {
    const line = { type: "signalbox", subtype: "remark", level: "info", text: "A line was cut." };
    const rows = [
      { from: "keeper", line },
      { from: "agent", line },
    ].map((row) => JSON.stringify(row));
    const { out } = await replay(["-"], `${rows.join("\n")}\n`);
    const types = out.map((event) => (JSON.parse(event) as { type: string }).type);
    expect(types).toEqual(["notice", "opaque-received"]);
  });

  test("reads raw NDJSON from standard input, garbage included", async () => {
    const { out } = await replay(["-"], 'not json\n{"type":"brand_new"}\n');
    expect(out.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "opaque-received",
      "opaque-received",
    ]);
  });

  test("skips the mark that some editors put before a text", async () => {
    const { out } = await replay(["-"], '\uFEFF{"from":"host","line":{"type":"keep_alive"}}\n[]');
    expect(out.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "opaque-received",
    ]);
  });

  test("says what is wrong with the command line", async () => {
    expect(await replay([])).toMatchObject({ exit: 2 });
    expect((await replay(["/no/such/file"])).err).toContain(
      "Couldn't find the file /no/such/file.",
    );
    expect((await replay([recording, "--output", "video"])).err).toContain("events, items, text");
  });
});
