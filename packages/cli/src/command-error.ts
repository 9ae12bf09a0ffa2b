import { HubError } from "@signalbox/client";
import { type ExitCode, exitCode } from "./exit-code.ts";

/** A command failed. The message says why and what to do. */
export class CommandError extends Error {
  override readonly name = "Failure";
  readonly exit: ExitCode;

  constructor(exit: ExitCode, message: string) {
    super(message);
    this.exit = exit;
  }
}

/** Maps an error of the hub to the exit code of a command. */
export function getExitCode({ status }: HubError): ExitCode {
  if (status === 404) return exitCode.notFound;
  if (status === 400 || status === 422) return exitCode.usage;
  return status >= 400 && status < 500 ? exitCode.refused : exitCode.agentError;
}

/** The message and the exit code for an expected failure; undefined for a bug. */
export function toCommandError(failure: unknown): { message: string; exit: ExitCode } | undefined {
  if (failure instanceof CommandError) return failure;
  if (HubError.is(failure)) return { message: failure.message, exit: getExitCode(failure) };
  return undefined;
}
