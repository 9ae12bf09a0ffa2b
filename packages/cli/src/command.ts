import type { ExitCode } from "./exit-code.ts";

/** A command of the command line, as the file of the command exports it. */
export interface Command {
  readonly help: string;
  run(args: string[]): Promise<ExitCode>;
}
