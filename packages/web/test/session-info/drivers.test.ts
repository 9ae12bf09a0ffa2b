import { expect, test } from "bun:test";
import { driverName, describeDriver } from "../../src/session-info/drivers.ts";

const run = { path: "" } as never;

test("[PG24] a session is shown with its driver, one whose agent dialled in too", () => {
  expect(driverName({ driver: "sdk", run })).toBe("sdk");
  expect(describeDriver({ driver: "sdk-url", run })).toContain("connects by itself");
  expect(driverName({ driver: "relay", run })).toBe("relay");
  expect(driverName({ driver: "relay", run: { path: "/bin/claude" } as never })).toBe("dial");
  expect(describeDriver({ driver: "relay", run: { path: "/bin/claude" } as never })).toContain(
    "dial",
  );
  expect(describeDriver({ driver: "pty", run })).toContain("terminal");
  expect(describeDriver({ driver: "of-another-package", run })).toBe("of-another-package");
});
