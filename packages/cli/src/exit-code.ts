/** The exit codes of commands, documented in `signalbox run --help`. */
export const exitCode = {
  success: 0,
  agentError: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
