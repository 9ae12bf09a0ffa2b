import { spawn } from "node:child_process";
import type { JsonObject } from "@signalbox/protocol/wire";
import { endWithProcess, signalGroup } from "../process-groups.ts";
import type { HookEnd } from "./hook-end.ts";

const MAX_OUTPUT = 1_000_000;

/**
 * Runs a hook's command with the event on its stdin. When the time is up, the command and its
 * children are killed. A command that first prints `{"async":true}` continues on its own.
 */
export async function runHookCommand(hook: {
  command: string;
  /** With arguments, the command is started as a program and not through a shell. */
  args?: readonly string[] | undefined;
  input: JsonObject;
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<HookEnd> {
  const [program, args] = hook.args ? [hook.command, hook.args] : ["/bin/sh", ["-c", hook.command]];
  const child = spawn(program, args, {
    cwd: hook.folder,
    env: hook.environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  endWithProcess(child);
  const endGroup = () => {
    signalGroup(child.pid, "SIGKILL");
    // A process that left the group may keep the pipes open, so they are not waited for.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, hook.timeoutMs);
  hook.signal?.addEventListener("abort", endGroup, { once: true });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (chunk: Buffer) => {
      if (output[stream].length < MAX_OUTPUT) output[stream] += chunk.toString("utf8");
    });
    child[stream].on("error", () => {});
  }
  const goesOnAlone = new Promise<"alone">((resolve) => {
    child.stdout.on("data", () => {
      if (/^\s*\{\s*"async"\s*:\s*true/.test(output.stdout)) resolve("alone");
    });
  });
  child.stdin.on("error", () => {}); // The command need not read its input.
  child.stdin.end(`${JSON.stringify(hook.input)}\n`);
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("close", (status) => resolve(status ?? 137));
  }).finally(() => {
    clearTimeout(timer);
    hook.signal?.removeEventListener("abort", endGroup);
  });
  const code = await Promise.race([ended, goesOnAlone]);
  if (code === "alone") return { code: 0, stdout: "", stderr: "" };
  if (isLate) return { code: 1, ...output, failure: "late" };
  return { code, ...output, ...(code === 126 || code === 127 ? { failure: "unusable" } : {}) };
}
