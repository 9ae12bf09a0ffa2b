import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { existsSync } from "node:fs";
import { extendSearchPath } from "@signalbox/host/agents";

interface ShellProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The person's own shell with the person's own environment, but none of Signalbox's variables. */
export function getShellProgram(from: Environment): ShellProgram {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && !isOurs(name)) env[name] = value;
  }
  const command = findShell(from);
  Object.assign(env, {
    PATH: extendSearchPath(from),
    SHELL: command,
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "Signalbox",
  });
  // On macOS the search path comes from the login files, which terminals there read for every shell.
  return { command, args: process.platform === "darwin" ? ["-l"] : [], env };
}

function isOurs(name: string): boolean {
  return name.startsWith("SIGNALBOX_") || name === "CLAUDECODE";
}

function findShell(from: Environment): string {
  const candidates = [from["SHELL"], readLoginShell(), "/bin/bash", "/bin/sh"];
  return candidates.find((path) => path?.startsWith("/") && existsSync(path)) ?? "/bin/sh";
}

/** The shell of the user database. `userInfo().shell` is null in some containers. */
function readLoginShell(): string | undefined {
  try {
    const { shell, username } = userInfo();
    if (shell) return shell;
    const row = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((line) => line.startsWith(`${username}:`));
    return row?.split(":")[6];
  } catch {
    return undefined;
  }
}
