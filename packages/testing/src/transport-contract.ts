import { describe, expect, test } from "bun:test";
import { type Line, lineText, SignalboxError, type Transport } from "@signalbox/protocol";

/** Tests the rules of docs/spec/transport.md on any transport whose peer echoes. */
export function transportContract(name: string, openEcho: () => Promise<Transport>) {
  const catchFailure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

  describe(`${name} keeps the transport contract`, () => {
    test("[TR1] what is sent comes back whole and in order", async () => {
      await using transport = await openEcho();
      const sent = Array.from({ length: 2000 }, (_, i) => JSON.stringify({ i, text: "é😀\u2028" }));
      const sending = (async () => {
        for (const line of sent) await transport.send(line);
      })();
      expect(await take(transport, sent.length)).toEqual(sent);
      await sending;
    });

    test("[TR2] concurrent senders never mix their lines", async () => {
      await using transport = await openEcho();
      const sent = Array.from({ length: 50 }, (_, i) => String(i).repeat(20_000));
      const sending = Promise.all(sent.map((line) => transport.send(line)));
      expect(await take(transport, sent.length)).toEqual(sent);
      await sending;
    });

    test("[TR3] closed settles once with a reason and a sentence; close may be called again", async () => {
      const transport = await openEcho();
      await Promise.all([transport.close(), transport.close()]);
      await transport.close();
      const reason = await transport.closed;
      expect(reason.kind).toBeString();
      expect(reason.sentence).toEndWith(".");
      expect(await transport.closed).toBe(reason);
    });

    test("[TR4] sending to a peer that has left fails with CONNECTION_CLOSED", async () => {
      await using transport = await openEcho();
      await transport.close();
      const failure = await catchFailure(transport.send("{}"));
      expect(SignalboxError.is(failure, "CONNECTION_CLOSED")).toBe(true);
    });

    test("[TR5] reading ends when the connection does", async () => {
      const transport = await openEcho();
      const read = Array.fromAsync(transport.incoming);
      await transport.close();
      expect((await read).flat()).toEqual([]);
    });
  });
}

async function take(transport: Transport, count: number): Promise<string[]> {
  const taken: Line[] = [];
  for await (const batch of transport.incoming) {
    taken.push(...batch);
    if (taken.length >= count) break;
  }
  return taken.map(lineText);
}
