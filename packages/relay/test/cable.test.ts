import { expect, setDefaultTimeout, test } from "bun:test";
import { acrossABrokenCable, mayMakeNetworks } from "@signalbox/testing/two-machines";

setDefaultTimeout(180_000);

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test.if(mayMakeNetworks())(
  "[DL8] with dial and the hub on two machines, all lines arrive once and in order although the cable is unplugged for a moment",
  async () => {
    expect(await acrossABrokenCable(5000, 3000)).toEqual(upTo(5000));
  },
);
