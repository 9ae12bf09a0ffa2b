import { expect, setDefaultTimeout, test } from "bun:test";
import { acrossABrokenCable } from "@signalbox/testing/two-machines";

setDefaultTimeout(600_000);

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("[DL8] dial on one machine, the hub on another, the cable pulled for 60 s while the agent writes 50,000 lines: all arrive once, in order", async () => {
  expect(await acrossABrokenCable(50_000, 60_000)).toEqual(upTo(50_000));
});
