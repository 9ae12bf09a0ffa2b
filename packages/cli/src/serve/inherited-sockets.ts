import { closeSync, writeSync } from "node:fs";

/** The first descriptor after standard input, output and error. */
const FIRST_DESCRIPTOR = 3;

/**
 * The listening sockets that a service manager such as systemd opened for this process; undefined if there are
 * none. The variables are removed from the environment, so that no child process uses them. The launcher
 * passes the sockets on, so the variables may name the parent process.
 */
export function readActivatedSockets(
  environment: Record<string, string | undefined> = process.env,
): number[] | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: pid } = environment;
  for (const name of ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]) delete environment[name];
  if (pid !== String(process.pid) && pid !== String(process.ppid)) return undefined;
  const sockets = listDescriptors(Number(count));
  return sockets.length > 0 ? sockets : undefined;
}

function listDescriptors(count: number): number[] {
  return Array.from(
    { length: Number.isInteger(count) ? count : 0 },
    (_, at) => FIRST_DESCRIPTOR + at,
  );
}

/** The sockets that the process of the hub inherits from its supervisor. */
interface InheritedSockets extends Disposable {
  readonly sockets: readonly number[];
  /** Reports to the supervisor that the start has succeeded, so that it restarts the hub after a crash. */
  reportListening(): void;
}

/** `onOrphaned` is called when the supervisor has ended, which closes our standard input. */
export function inheritSockets(count: number, onOrphaned: () => void): InheritedSockets {
  const sockets = listDescriptors(count);
  const report = FIRST_DESCRIPTOR + count;
  process.stdin.on("end", onOrphaned).on("error", onOrphaned).resume();
  return {
    sockets,
    reportListening() {
      try {
        writeSync(report, LISTENING);
        closeSync(report);
      } catch {
        // The supervisor has ended, which standard input reports as well.
      }
    },
    [Symbol.dispose]: () => process.stdin.off("end", onOrphaned).off("error", onOrphaned).unref(),
  };
}

const LISTENING = "listening\n";
