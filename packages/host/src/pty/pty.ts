import { errorMessage } from "@signalbox/protocol/text";
import { requireBun } from "../system/require-bun.ts";
import { unregisterLeader, registerLeader } from "../drivers/stdio/orphans.ts";
import { loadProcessTags, newProcessTag, withProcessTag } from "../drivers/stdio/process-tag.ts";
import { ProcessTree } from "../drivers/stdio/process-tree.ts";
import { delayWhileAwake } from "../system/awake.ts";
import { limitSize, type TerminalSize } from "./screen.ts";

/** How long each step of stopping waits before the next one. */
const GRACE_MS = 2000;
/** Output that is still in the kernel when the program has ended. */
const LAST_OUTPUT_MS = 50;

export interface PtyOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The value of the marker that all processes of the terminal carry in their environment. */
  readonly runId: string;
  readonly size: TerminalSize;
  readonly onOutput: (bytes: Uint8Array) => void;
  /** The command is bubblewrap, with a process namespace of its own. */
  readonly hasNamespace?: boolean;
  readonly graceMs?: number;
}

export interface PtyExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program on a pseudo-terminal of its own, with all processes that it starts. */
export interface Pty {
  readonly pid: number;
  /** Settles when the program and its children are gone, and all output was passed on. */
  readonly exited: Promise<PtyExit>;
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** Hangs up, then TERM, then KILL; each step waits for the program to leave. */
  close(): Promise<void>;
}

/** Starts a program on a new pseudo-terminal. Rejects with what the system said. */
export async function startPty(options: PtyOptions): Promise<Pty> {
  requireBun("A terminal");
  const { command, args, folder, env, runId, size, onOutput, graceMs = GRACE_MS } = options;
  const tags = await loadProcessTags();
  const tag = newProcessTag();
  const child = withProcessTag(tags, tag, () => {
    try {
      return Bun.spawn([command, ...args], {
        cwd: folder,
        env: { ...env },
        terminal: {
          ...limitSize(size),
          name: env["TERM"] ?? "xterm-256color",
          data: (_, bytes) => onOutput(bytes),
        },
      });
    } catch (cause) {
      throw new Error(`Couldn't start ${command}: ${errorMessage(cause)}`, { cause });
    }
  });
  const { pid, terminal } = child;
  if (!terminal) throw new Error("This system has no pseudo-terminals.");
  registerLeader(pid);
  const tree = new ProcessTree({
    leader: pid,
    runId,
    tag,
    hasNamespace: options.hasNamespace ?? false,
  });
  const exited = waitForExit();
  let closing: Promise<void> | undefined;

  async function waitForExit(): Promise<PtyExit> {
    await child.exited;
    unregisterLeader(pid);
    await tree.endRemaining();
    await delayWhileAwake(LAST_OUTPUT_MS);
    terminal?.close();
    return { code: child.exitCode, signal: nameSignal(child.signalCode) };
  }
  async function close(): Promise<void> {
    for (const signal of ["SIGHUP", "SIGTERM"] as const) {
      tree.signal(signal);
      const left = await Promise.race([exited.then(() => true), delayWhileAwake(graceMs)]);
      if (left === true) return;
    }
    await tree.kill();
    await exited;
  }
  return {
    pid,
    exited,
    write: (text) => void (terminal.closed || terminal.write(text)),
    resize: (wanted) => {
      const { cols, rows } = limitSize(wanted);
      if (terminal.closed) return;
      terminal.resize(cols, rows);
      // An isolated program has a session of its own, so the system does not tell it of the new size.
      if (options.hasNamespace) tree.signal("SIGWINCH");
    },
    close: () => (closing ??= close()),
  };
}

function nameSignal(signal: NodeJS.Signals | number | null): string | null {
  return signal === null ? null : String(signal);
}
