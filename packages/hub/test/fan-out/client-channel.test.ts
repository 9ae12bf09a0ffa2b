import { expect, test } from "bun:test";
import { UNACKNOWLEDGED_LIMIT } from "@signalbox/api/constants";
import { ClientChannel } from "../../src/fan-out/client-channel.ts";

const HALF = "x".repeat(UNACKNOWLEDGED_LIMIT / 2);

test("[HH51] what a client acknowledges before it was sent makes no room for it", () => {
  const sent: string[] = [];
  const channel = new ClientChannel((text) => void sent.push(text));
  channel.acknowledge(1e15);
  channel.send(HALF);
  channel.send(HALF);
  expect(channel.fits(1)).toBe(false);
  channel.acknowledge(HALF.length);
  expect(channel.fits(HALF.length)).toBe(true);
  channel.acknowledge(1); // less than before takes nothing back
  expect(channel.fits(HALF.length)).toBe(true);
  expect(sent).toEqual([HALF, HALF]);
});

test("[HH51] what has not left the hub counts as unread, whatever is acknowledged", () => {
  let unsent = 0;
  const channel = new ClientChannel(
    (text) => void (unsent += text.length),
    () => unsent,
  );
  channel.send(HALF);
  channel.send(HALF);
  channel.acknowledge(1e15);
  expect(channel.fits(1)).toBe(false);
  unsent = 0;
  expect(channel.fits(1)).toBe(true);
});
