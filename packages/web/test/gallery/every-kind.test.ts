import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askView } from "@signalbox/api/schemas";
import { handmadeSpecimens } from "../../src/gallery/handmade-specimens.ts";
import { openAsks } from "../../src/gallery/open-asks.ts";

/** What the timeline's own sources name: a kind that is added there is missing here until it is shown. */
function namesIn(path: string, pattern: RegExp): string[] {
  const text = readFileSync(join(import.meta.dirname, "../../../timeline/src", path), "utf8");
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}
function unionIn(path: string, type: string): string[] {
  const [members = ""] = namesIn(path, new RegExp(`type ${type} =([^;]+);`, "g"));
  return [...members.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name);
}

const shown = handmadeSpecimens();
const itemKinds = namesIn("item.ts", /readonly kind: "([\w-]+)"/g);
const toolKinds = namesIn("tool-payload/payload.ts", /= PayloadBase<\s*"(\w+)"/g);
const toolStates = unionIn("event.ts", "ToolStatus");
const turnStates = unionIn("event.ts", "TurnOutcome");
const groups = new Set(shown.map(({ group }) => group));
const has = (group: string, state: string) =>
  shown.some((one) => one.group === group && one.state.includes(state));

describe("the gallery", () => {
  test("[IV14] shows every kind of item", () => {
    expect(itemKinds.length).toBeGreaterThan(11);
    const kinds = new Set(shown.map(({ item }) => item.kind));
    expect(itemKinds.filter((kind) => !kinds.has(kind as never))).toEqual([]);
  });

  test("[IV14] shows every kind of tool in every state of a call", () => {
    expect(toolKinds.length).toBeGreaterThan(17);
    expect(toolStates.length).toBeGreaterThan(5);
    const missing = toolKinds.flatMap((kind) =>
      toolStates
        .filter((state) => !has(`tool ${kind}`, ` ${state}`))
        .map((state) => `${kind} ${state}`),
    );
    expect(missing).toEqual([]);
  });

  test("[IV14] shows every kind of ask as it waits and with each of its ends", () => {
    const { kind, status } = askView.shape;
    const missing = kind.options.flatMap((ask) =>
      status.options
        .filter((state) => !has("ask", `${ask} ${state}`))
        .map((state) => `${ask} ${state}`),
    );
    expect(missing).toEqual([]);
  });

  test("[IV14] shows every kind of ask with its controls, and each end of one", () => {
    const asks = openAsks().map(({ ask }) => ask);
    const { kind, status } = askView.shape;
    const open = new Set(asks.filter((ask) => ask.status === "open").map((ask) => ask.kind));
    expect(kind.options.filter((one) => !open.has(one))).toEqual([]);
    expect(status.options.filter((one) => !asks.some((ask) => ask.status === one))).toEqual([]);
  });

  test("[IV14] shows every end of a turn and every state of a compaction", () => {
    expect(turnStates.length).toBeGreaterThan(3);
    expect(turnStates.filter((state) => !has("turn-end", state))).toEqual([]);
    const states = ["running", "done", "failed"];
    expect(states.filter((state) => !has("compaction", state))).toEqual([]);
    for (const kind of ["text", "thinking", "block"]) {
      expect([has(kind, "live"), has(kind, "whole")]).toEqual([true, true]);
    }
    expect(groups.has("from the future")).toBe(true);
  });
});
