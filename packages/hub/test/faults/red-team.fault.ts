import { expect, test } from "bun:test";
import { attackAsAnother, attackAsOneself } from "../http/red-team.ts";
import { openWhole } from "@signalbox/testing/whole-hub";

/** `MINUTES=1` is a look at it. */
const SECONDS = 60 * Number(process.env["MINUTES"] ?? 10);
const LIMIT = { timeout: 900_000 };

test(
  "ten minutes of an agent of the same user: no approval",
  async () => {
    await using whole = await openWhole();
    expect(await attackAsOneself(whole, SECONDS)).toBeGreaterThan(1);
  },
  LIMIT,
);

test.if(process.getuid?.() === 0)(
  "ten minutes of an agent of another user: no approval",
  async () => {
    await using whole = await openWhole();
    expect(await attackAsAnother(whole, SECONDS)).toBeGreaterThan(1);
  },
  LIMIT,
);
