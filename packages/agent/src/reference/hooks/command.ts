import { spawn } from "node:child_process";
import type { JsonObject } from "@signalbox/protocol/wire";
import { endsWithUs, signalGroup } from "../process-groups.ts";

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}
const MAX_OUTPUT = 1_000_000;

/** Runs a hook's command with the event on its stdin. It and all it started end at the time-out. */
export async function runHookCommand(hook: {
  command: string;
  input: JsonObject;
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<CommandEnd> {
  const child = spawn("/bin/sh", ["-c", hook.command], {
    cwd: hook.folder,
    env: hook.environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  endsWithUs(child);
  const endGroup = () => {
    signalGroup(child.pid, "SIGKILL");
    // What left the group may hold the pipes open; nobody waits for it.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup();
  }, hook.timeoutMs);
  hook.signal?.addEventListener("abort", endGroup, { once: true });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (chunk: Buffer) => {
      if (said[stream].length < MAX_OUTPUT) said[stream] += chunk.toString("utf8");
    });
    child[stream].on("error", () => {});
  }
  child.stdin.on("error", () => {}); // it need not read what it is told
  child.stdin.end(`${JSON.stringify(hook.input)}\n`);
  const code = await new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("close", (status) => resolve(status ?? 137));
  });
  clearTimeout(timer);
  hook.signal?.removeEventListener("abort", endGroup);
  return { code, ...said, timedOut };
}
