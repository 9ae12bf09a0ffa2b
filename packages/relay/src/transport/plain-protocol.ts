import { PlainLines } from "@signalbox/host/plain-lines";
import type { Introduction, Speech } from "./dial-protocol.ts";

/** An agent that dials in by `--sdk-url`: it cannot number its lines, nor be told to end. */
export class PlainSpeech extends PlainLines implements Speech {
  readonly ready: Promise<Introduction> = Promise.resolve({});

  stored(): void {}

  stop(): boolean {
    return false;
  }
}
