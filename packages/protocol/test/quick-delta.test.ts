import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parseTextDelta } from "../src/messages/text-delta.ts";
import { recordings } from "@signalbox/testing/recordings";

const deltas = [...recordings().values()]
  .flat()
  .map(({ text }) => text)
  .filter((text) => text.includes('"content_block_delta"'));

/** What the parser makes of the line, or a note that it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return "not JSON";
  }
}

describe("words as they are written", () => {
  test("[DE10] most recorded words are read without the parser, and read the same", () => {
    const quick = deltas.filter((text) => {
      const read = parseTextDelta(text);
      if (read) expect(read).toStrictEqual(parsed(text) as typeof read);
      return read !== undefined;
    });
    const words = deltas.filter((text) => /"(text|thinking)_delta"/.test(text));
    expect(words.length).toBeGreaterThan(100);
    expect(quick.length).toBeGreaterThan(words.length * 0.7);
  });

  test("[DE10] whatever stands in the values, it is read as the parser reads it or left to it", () => {
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constant('\\"}},"session_id":"'),
    );
    const line = fc.record({ text: value, session: value, uuid: value, message: fc.option(value) });
    fc.assert(
      fc.property(line, fc.nat(12), ({ text, session, uuid, message }, index) => {
        const whole = JSON.stringify({
          type: "stream_event",
          event: { type: "content_block_delta", index, delta: { type: "text_delta", text } },
          session_id: session,
          parent_tool_use_id: null,
          uuid,
          ...(message !== null && { api_message_id: message }),
        });
        const read = parseTextDelta(whole);
        if (read) expect(read).toStrictEqual(parsed(whole) as typeof read);
      }),
    );
  });

  test("[DE10] a line that is damaged anywhere is not taken for a whole one", () => {
    const sample = deltas.find((text) => parseTextDelta(text)) ?? "";
    for (let at = 0; at < sample.length; at++) {
      for (const put of ["", '"', "\\", "}", "0", "\t", "x\u2028"]) {
        const damaged = sample.slice(0, at) + put + sample.slice(at + 1);
        const read = parseTextDelta(damaged);
        if (read) expect(read).toStrictEqual(parsed(damaged) as typeof read);
      }
    }
    for (let end = 0; end < sample.length; end++) {
      expect(parseTextDelta(sample.slice(0, end))).toBeUndefined();
    }
    expect(parseTextDelta(`${sample} `)).toBeUndefined();
  });
});
