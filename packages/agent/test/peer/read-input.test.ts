import { describe, expect, test } from "bun:test";
import { readHostLine } from "../../src/peer/read-input.ts";
import { echo, openRig, prompt } from "../loop/rig.ts";

const refusal = (line: string) => {
  const read = readHostLine(line);
  return read.kind === "refused" ? read.text : undefined;
};

describe("lines from a host", () => {
  test("[AG1] keep-alives and blank lines are ignored", () => {
    for (const line of ['{"type":"keep_alive"}', "", "   "]) {
      expect(readHostLine(line)).toEqual({ kind: "nothing" });
    }
  });

  test("[AG1] a byte order mark before a line is ignored", () => {
    expect(readHostLine('\uFEFF{"type":"keep_alive"}')).toEqual({ kind: "nothing" });
  });

  test("[AG2] a line that is not an object is refused and repeated in the error", () => {
    expect(refusal("not json")).toStartWith(
      "Error parsing streaming input line: not json: SyntaxError: ",
    );
    expect(refusal("null")).toStartWith("Error parsing streaming input line: null: TypeError: ");
  });

  test("[AG2] a line that is nested too deeply is ignored; a request is refused", () => {
    const deep = (type: string) =>
      readHostLine(`{"type":"${type}","request_id":"a","a":${"[".repeat(600)}${"]".repeat(600)}}`);
    expect(deep("user")).toMatchObject({ kind: "passed over" });
    const { kind, decoded } = deep("control_request") as { kind: string; decoded: object };
    expect({ kind, decoded }).toMatchObject({ kind: "control", decoded: { kind: "noise" } });
  });

  test("[AG2] an error repeats a part of a long line, and a line beyond the limit is refused", () => {
    expect(refusal("x".repeat(10_000))?.length).toBeLessThan(700);
    const cut = { text: '{"type":"user"', flaws: { droppedBytes: 10 } };
    expect(readHostLine(cut)).toMatchObject({ kind: "refused" });
  });

  test("[AG3] unknown types are refused; messages that agents send are ignored", () => {
    const got = (type: string) => `Error: Expected 'user' or 'control_request', got '${type}'`;
    expect(refusal('{"type":"nonsense","message":{}}')).toBe(got("nonsense"));
    for (const line of ['{"no":"type"}', "5", '"text"', "[]"]) {
      expect(refusal(line)).toBe(got("undefined"));
    }
    for (const type of ["assistant", "system", "result", "stream_event"]) {
      expect(readHostLine(JSON.stringify({ type }))).toEqual({ kind: "nothing" });
    }
  });

  test("[AG4] a control request without content is refused", () => {
    const said = "Error: Missing request on control_request";
    expect(refusal('{"type":"control_request","request_id":"a"}')).toBe(said);
    expect(refusal('{"type":"control_request","request_id":"a","request":""}')).toBe(said);
  });

  test("[AG5] a prompt with another role is refused; one with other content is ignored", () => {
    expect(refusal('{"type":"user","message":{"role":"assistant","content":"x"}}')).toBe(
      "Error: Expected role 'user', got 'assistant'",
    );
    expect(refusal('{"type":"user"}')).toBe("Error: Expected role 'user', got 'undefined'");
    for (const content of [7, [1], {}]) {
      const line = JSON.stringify({ type: "user", message: { role: "user", content } });
      expect(readHostLine(line)).toMatchObject({ kind: "passed over" });
    }
    const none = readHostLine('{"type":"user","message":{"role":"user"}}');
    expect(none).toMatchObject({ kind: "prompt", message: { content: "" } });
  });

  test.each([
    ["not json"],
    ['{"type":"nonsense"}'],
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

  test("[AG7] requests are answered with their own ids", async () => {
    await using rig = await openRig(echo);
    await rig.send('{"type":"control_request","request":{"subtype":"nonsense"}}');
    await rig.send('{"type":"control_request","request_id":5,"request":"x"}');
    await rig.send('{"type":"control_request","request_id":"a","request":{}}');
    await rig.lines.until(({ response }) => JSON.stringify(response).includes('"a"'));
    const error_code = "unsupported_request";
    const refused = (subtype: string, id: object) => ({
      type: "control_response",
      response: {
        subtype: "error",
        ...id,
        error: `Unsupported control request subtype: ${subtype}`,
        error_code,
      },
    });
    expect(rig.lines.all).toEqual([
      refused("nonsense", {}),
      refused("undefined", { request_id: 5 }),
      refused("undefined", { request_id: "a" }),
    ]);
  });
});
