import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { isAck, isLines, frameToHub, frameToRunner } from "../src/link/frames.ts";

describe("frames with lines", () => {
  const sound = {
    type: "lines",
    session: "s",
    run: "r",
    first: 1,
    from: ["agent", "host", "keeper"],
    at: [1, 2, 3],
  };

  test("[LK28] the handwritten check accepts every plain frame, and none that the schema refuses", () => {
    expect(isLines(sound)).toBe(true);
    const odd = fc.oneof(
      fc.constantFrom(null, undefined, 0, -1, 1.5, "", "x".repeat(101), [], {}, true),
      fc.jsonValue(),
      fc.array(fc.oneof(fc.constantFrom("agent", "host", "somebody"), fc.double())),
    );
    const field = fc.constantFrom(...Object.keys(sound), "flaws");
    fc.assert(
      fc.property(field, odd, (name, value) => {
        const frame = { ...sound, [name]: value };
        if (isLines(frame)) expect(frameToHub.safeParse(frame).success).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("[LK28] acknowledgements have a handwritten check, too", () => {
    expect(isAck({ type: "ack", session: "s", seq: 1 })).toBe(true);
    for (const odd of [{ seq: 0 }, { seq: 1.5 }, { session: "" }, { type: "lines" }]) {
      const frame = { type: "ack", session: "s", seq: 1, ...odd };
      expect(isAck(frame)).toBe(false);
      expect(frameToRunner.safeParse(frame).success).toBe(false);
    }
  });
});
