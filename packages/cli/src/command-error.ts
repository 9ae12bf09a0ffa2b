import { HubError } from "@signalbox/client";
import { type ExitCode, exitCode } from "./exit-code.ts";

/** A command cannot do what it was asked for; the message says why, and what to do. */
export class CommandError extends Error {
  override readonly name = "Failure";
  readonly exit: ExitCode;

  constructor(exit: ExitCode, message: string) {
    super(message);
    this.exit = exit;
  }
}

/** What a refusal of the hub means to a script. */
export function getExitCode({ status }: HubError): ExitCode {
  if (status === 404) return exitCode.notFound;
  if (status === 400 || status === 422) return exitCode.usage;
  return status >= 400 && status < 500 ? exitCode.refused : exitCode.agentError;
}

/** The failure as a person and a script are told; undefined: it is a bug. */
export function toCommandError(failure: unknown): { message: string; exit: ExitCode } | undefined {
  if (failure instanceof CommandError) return failure;
  if (HubError.is(failure)) return { message: failure.message, exit: getExitCode(failure) };
  return undefined;
}
