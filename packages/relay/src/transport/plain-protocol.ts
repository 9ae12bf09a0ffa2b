import { PlainLines } from "@signalbox/host/plain-lines";
import type { AgentIntroduction, DialProtocol } from "./dial-protocol.ts";

/** An agent that dials in with `--sdk-url`. It can neither number its lines nor be asked to end. */
export class PlainProtocol extends PlainLines implements DialProtocol {
  readonly ready: Promise<AgentIntroduction> = Promise.resolve({});

  stored(): void {}

  stop(): boolean {
    return false;
  }
}
