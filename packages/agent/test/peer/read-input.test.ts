import { describe, expect, test } from "bun:test";
import { readHostLine } from "../../src/peer/read-input.ts";
import { echo, openRig, prompt } from "../loop/rig.ts";

const refusal = (line: string) => {
  const read = readHostLine(line);
  return read.kind === "refused" ? read.text : undefined;
};

describe("what a host may send", () => {
  test("[AG1] keep-alives and blank lines mean nothing", () => {
    for (const line of ['{"type":"keep_alive"}', "", "   "]) {
      expect(readHostLine(line)).toEqual({ kind: "nothing" });
    }
  });

  test("[AG2] what is no object is refused, with the line", () => {
    expect(refusal("not json")).toStartWith(
      "Error parsing streaming input line: not json: SyntaxError: ",
    );
    expect(refusal("null")).toBe("Error parsing streaming input line: null: not a JSON object");
    expect(refusal("[]")).toStartWith("Error parsing streaming input line: []: ");
    const deep = `{"type":"user","a":${"[".repeat(600)}${"]".repeat(600)}}`;
    expect(refusal(deep)).toContain("nested deeper than 512");
  });

  test("[AG2] a long line is repeated in part, and one beyond the limit is refused", () => {
    expect(refusal("x".repeat(10_000))?.length).toBeLessThan(700);
    const cut = { text: '{"type":"user"', flaws: { droppedBytes: 10 } };
    expect(readHostLine(cut)).toMatchObject({ kind: "refused" });
  });

  test("[AG3] other types are refused", () => {
    expect(refusal('{"type":"assistant","message":{}}')).toBe(
      "Error: Expected 'user' or 'control_request', got 'assistant'",
    );
    expect(refusal('{"no":"type"}')).toBe(
      "Error: Expected 'user' or 'control_request', got 'undefined'",
    );
  });

  test("[AG4] a request without a request is refused", () => {
    const said = "Error: Missing request on control_request";
    expect(refusal('{"type":"control_request","request_id":"a"}')).toBe(said);
  });

  test("[AG5] a prompt in another role, or without content, is refused", () => {
    expect(refusal('{"type":"user","message":{"role":"assistant","content":"x"}}')).toBe(
      "Error: Expected role 'user', got 'assistant'",
    );
    expect(refusal('{"type":"user"}')).toBe("Error: Expected role 'user', got 'undefined'");
    expect(refusal('{"type":"user","message":{"role":"user","content":7}}')).toContain("content");
    expect(refusal('{"type":"user","message":{"role":"user","content":[1]}}')).toContain("content");
  });

  test.each([
    ["not json"],
    ['{"type":"assistant"}'],
    ['{"type":"control_request"}'],
    ['{"type":"user","message":{"role":"system","content":""}}'],
  ])("[AG6] %s ends the program with 1, and the reason is on the error stream", async (line) => {
    await using rig = await openRig(echo);
    await rig.send(line);
    await rig.send(prompt("never run"));
    expect(await rig.code).toBe(1);
    expect(rig.reported).toHaveLength(1);
    expect(rig.reported[0]).toStartWith("Error");
    expect(rig.lines.all).toEqual([]);
  });
});
