import { SignalboxError } from "@signalbox/protocol";

/** Says plainly what does not work on Node, where only a part of this package does. */
export function requireBun(what: string): void {
  if (process.versions["bun"] !== undefined) return;
  const why = "this needs Bun. On Node, Host and the drivers stdio and sdk work.";
  throw new SignalboxError("BAD_INPUT", { what, why });
}
