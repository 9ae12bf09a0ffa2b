import { runtimeCommand } from "@signalbox/host/system";

/** The command that starts this program again, without the launcher: the runtime, its options and the main file. */
export function signalboxCommand(): string[] {
  return [...runtimeCommand(), process.argv[1] ?? ""];
}
