import { lineText, createTransportPair } from "@signalbox/protocol";
import { transportContract } from "@signalbox/testing/transport-contract";

transportContract("the pair in memory", () => {
  const [near, far] = createTransportPair();
  void (async () => {
    for await (const batch of far.incoming)
      for (const line of batch) await far.send(lineText(line));
  })().catch(() => {}); // the test closes the pair while the echo may still be sending
  return Promise.resolve(near);
});
