import { SignalboxError } from "@signalbox/protocol";
import type { ListenOptions } from "./listen-plan.ts";
import { findPortOwner } from "./port-owner.ts";

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

export function isPortTaken(error: unknown): boolean {
  return getErrorCode(error) === "EADDRINUSE";
}

const notOurs = "this machine does not have that address. Use --host with one of its addresses";
/** Why listening failed and what to do about it, by the system's error code. */
const reasons: Record<string, string> = {
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
  EACCES: "this user may not use that port. Choose another one with --port, such as one above 1023",
};

/** The error as a person reads it: the cause, the port's owner if the port is taken, and what to do. */
export async function describeListenFailure(
  error: unknown,
  { port, host }: ListenOptions,
): Promise<unknown> {
  const reason = reasons[String(getErrorCode(error))];
  if (reason !== undefined) {
    const where = host === undefined ? `port ${port}` : `${host}, port ${port}`;
    const why = `The hub cannot listen on ${where}: ${reason}. It has not started.`;
    return new SignalboxError("CANNOT_LISTEN", { why }, { cause: error });
  }
  if (!isPortTaken(error)) return error;
  const owner = (await findPortOwner(port)) ?? "another program";
  const why = `Port ${port} is in use by ${owner}, so the hub has not started. Stop that program, or choose another port with --port.`;
  return new SignalboxError("CANNOT_LISTEN", { why }, { cause: error });
}
