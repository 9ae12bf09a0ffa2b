import type { ExitCode } from "./exit-code.ts";

/** A command of the command line, as the file of the command exports it. */
export interface CliCommand {
  readonly help: string;
  /** The help of a part of the command, for a command that has parts. */
  readonly findHelp?: (args: readonly string[]) => Promise<string | undefined>;
  run(args: string[]): Promise<ExitCode>;
}
