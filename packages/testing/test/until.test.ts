import { describe, expect, test } from "bun:test";
import { until } from "../src/until.ts";

describe("until", () => {
  test("gives what the probe found, also when it came late", async () => {
    let looks = 0;
    expect(await until("it was looked at thrice", () => (++looks === 3 ? "there" : ""))).toBe(
      "there",
    );
  });

  test("says what was waited for and what was seen last", async () => {
    const vain = until("a seven comes", () => 0, { withinMs: 0, seen: () => ({ last: 6 }) });
    const failure = await vain.catch((error: unknown) => String(error));
    expect(failure).toContain("until a seven comes");
    expect(failure).toContain("last: 6");
  });

  test("looks once more when the time is over before it looked", async () => {
    expect(await until("it is so", () => Promise.resolve(true), { withinMs: 0 })).toBe(true);
  });

  test("an error of the probe ends the wait", async () => {
    const probe = () => {
      throw new Error("no such session");
    };
    expect(until("it is so", probe)).rejects.toThrow("no such session");
  });
});
