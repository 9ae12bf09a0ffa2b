import { transportPair } from "@signalbox/protocol";
import { transportContract } from "./transport-contract.ts";

transportContract("the pair in memory", () => {
  const [near, far] = transportPair();
  void (async () => {
    for await (const batch of far.incoming) for (const { text } of batch) await far.send(text);
  })().catch(() => {}); // the test closes the pair while the echo may still be sending
  return Promise.resolve(near);
});
