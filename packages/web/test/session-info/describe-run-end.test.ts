import { expect, test } from "bun:test";
import { describeRunEnd } from "../../src/session-info/describe-run-end.ts";

test("[HB81] Info tells how the last run's process left", () => {
  const describe = (exitCode: number | null, signal: string | null) =>
    describeRunEnd({ status: "ended", exitCode, signal });
  expect(describeRunEnd(undefined)).toBeUndefined();
  expect(describe(0, null)).toBe("Exit code 0");
  expect(describe(null, "SIGKILL")).toBe("Killed by SIGKILL");
  expect(describe(null, null)).toBe("Unknown");
});
