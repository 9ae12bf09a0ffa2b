import { expect, setDefaultTimeout, test } from "bun:test";
import { acrossABrokenCable } from "@signalbox/testing/two-machines";

setDefaultTimeout(600_000);

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("[DL8] with dial and the hub on two machines, 50,000 lines arrive once and in order although the cable is unplugged for 60 s", async () => {
  expect(await acrossABrokenCable(50_000, 60_000)).toEqual(upTo(50_000));
});
