import { SignalboxError } from "@signalbox/protocol";

/** Throws a clear error for parts of this package that do not work on Node. */
export function requireBun(what: string): void {
  if (process.versions["bun"] !== undefined) return;
  const why = "this needs Bun. On Node, Host and the drivers stdio and sdk work.";
  throw new SignalboxError("BAD_INPUT", { what, why });
}
