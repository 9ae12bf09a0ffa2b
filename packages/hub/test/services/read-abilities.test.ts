import { describe, expect, test } from "bun:test";
import type { LineView } from "@signalbox/api";
import { readAbilities } from "../../src/services/read-abilities.ts";
import { readIntroduction, type ReadLines } from "../../src/services/read-introduction.ts";

describe("the abilities of an agent", () => {
  const line = (from: LineView["from"], text: object): LineView => ({
    pos: 1,
    seq: 1,
    run: null,
    at: 0,
    from,
    text: JSON.stringify(text),
  });
  const init = line("agent", { type: "system", subtype: "init", slash_commands: ["compact"] });
  const answer = line("agent", {
    type: "control_response",
    response: {
      response: {
        commands: [{ name: "review", description: "Reviews." }],
        models: [
          {
            value: "opus",
            displayName: "Opus",
            resolvedModel: "claude-opus-9",
            supportedEffortLevels: ["low", "high"],
          },
          { value: "haiku" },
        ],
        account: { apiKeySource: "ANTHROPIC_API_KEY", tokenSource: "none", nested: {} },
      },
    },
  });
  test("are read from its answer to initialize", () => {
    expect(readAbilities([answer, init])).toEqual({
      commands: [{ name: "review", description: "Reviews." }],
      models: [
        { value: "opus", name: "Opus", resolved: "claude-opus-9", efforts: ["low", "high"] },
        { value: "haiku", name: "haiku", efforts: [] },
      ],
      account: { apiKeySource: "ANTHROPIC_API_KEY", tokenSource: "none" },
    });
  });
  test("are read from its first line if it answered nothing", () => {
    expect(readAbilities([init]).commands).toEqual([{ name: "compact" }]);
  });
  test("are those of the newest answer, or of the newest first line", () => {
    const later = line("agent", {
      type: "control_response",
      response: { response: { commands: [{ name: "deploy" }] } },
    });
    const initLater = line("agent", { type: "system", subtype: "init", slash_commands: ["new"] });
    expect(readAbilities([answer, init, later, initLater]).commands).toEqual([{ name: "deploy" }]);
    expect(readAbilities([init, initLater]).commands).toEqual([{ name: "new" }]);
  });
  test("are found at the beginning of the newest run with few reads of a long log", async () => {
    const log = Array.from({ length: 5000 }, (_, at) => ({
      ...line("agent", { nth: at + 1 }),
      pos: at + 1,
      run: at % 7 === 0 ? null : at < 2345 ? "first" : "second",
    }));
    let reads = 0;
    const read: ReadLines = async ({ after, limit }) => {
      reads += 1;
      const lines = after === undefined ? log.slice(-limit) : log.slice(after, after + limit);
      return lines;
    };
    const places = (await readIntroduction(read)).map(({ pos }) => pos);
    expect([places[0], places.length, places.at(-1)]).toEqual([2346, 140, 5000]);
    expect(reads).toBeLessThan(20);
  });
  test("are found with one read of a short log", async () => {
    let reads = 0;
    const read: ReadLines = async () => {
      reads += 1;
      return [init];
    };
    expect(await readIntroduction(read)).toEqual([init]);
    expect(reads).toBe(1);
  });
  test("are not read from broken lines or from lines of the host", () => {
    const broken = { ...init, text: '{"slash_commands"' };
    expect(readAbilities([broken, line("host", { commands: [] })]).commands).toEqual([]);
  });
});
