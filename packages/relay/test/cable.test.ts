import { expect, setDefaultTimeout, test } from "bun:test";
import { acrossABrokenCable, mayMakeNetworks } from "@signalbox/testing/two-machines";

setDefaultTimeout(180_000);

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test.if(mayMakeNetworks())(
  "[DL8] dial on one machine, the hub on another, the cable pulled for a moment while the agent writes: all arrive once, in order",
  async () => {
    expect(await acrossABrokenCable(5000, 3000)).toEqual(upTo(5000));
  },
);
