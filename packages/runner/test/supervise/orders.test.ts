import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openRunner, startFake } from "./runner-stage.ts";

setDefaultTimeout(60_000);

describe("the orders of a hub", () => {
  test("a start and a stop are noted in the log, and answered", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    const done = await hub.order(startFake("s", "answers once"));
    expect(done.problem).toBeUndefined();
    const started = await hub.note("s", "run_started");
    expect(started).toMatchObject({ run: "run-of-s", agent: { version: "2.1.325" } });
    const stopped = await hub.order({ kind: "stop", session: "s", run: "run-of-s", park: true });
    expect(stopped.problem).toBeUndefined();
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "parked", kind: "stopped" });
  });
});
