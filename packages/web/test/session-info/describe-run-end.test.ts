import { expect, test } from "bun:test";
import { describeRunEnd } from "../../src/session-info/describe-run-end.ts";

test("[HB81] Info tells how the last run's process left", () => {
  const told = (exitCode: number | null, signal: string | null) =>
    describeRunEnd({ status: "ended", exitCode, signal });
  expect(describeRunEnd(undefined)).toBeUndefined();
  expect(told(0, null)).toBe("with exit code 0");
  expect(told(null, "SIGKILL")).toBe("killed by SIGKILL");
  expect(told(null, null)).toBe("nobody saw how");
});
