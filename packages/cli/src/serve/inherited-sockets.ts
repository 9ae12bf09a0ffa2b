import { closeSync, writeSync } from "node:fs";

/** The first descriptor after standard input, output and error. */
const FIRST_DESCRIPTOR = 3;

/**
 * The listening sockets that a service manager opened for this process, as systemd hands them over.
 * Undefined: there are none. What says so is taken out of the environment, so that no child believes it.
 * The launcher passes them on to its child, so that they may be meant for the parent.
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

/** What the hub's process has of the one that holds its sockets. */
interface InheritedSockets extends Disposable {
  readonly sockets: readonly number[];
  /** Tells the holder that the start has succeeded: from now on a crash is followed by a new start. */
  reportListening(): void;
}

/** `onOrphaned`: called when the holder has ended, which is when its end of our standard input closes. */
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
        // The holder is gone, which standard input tells, too.
      }
    },
    [Symbol.dispose]: () => process.stdin.off("end", onOrphaned).off("error", onOrphaned).unref(),
  };
}

const LISTENING = "listening\n";
