import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { findGit } from "@signalbox/host/git";
import { isExecutable } from "@signalbox/host/system";
import { OrderError } from "../supervise/order-error.ts";
import { isPlainRepository, type RemoteAddress } from "./remote-address.ts";

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 16 << 20;
/** `gh` ends with it if a command needs a sign-in. */
const GH_NOT_SIGNED_IN = 4;

/** What these programs need of the environment to find the person's own sign-in. */
const passedVariables = [
  "HOME",
  "USER",
  "LANG",
  "SSH_AUTH_SOCK",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_RUNTIME_DIR",
  "HTTPS_PROXY",
  "https_proxy",
  "NO_PROXY",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
] as const;
const toolVariables = {
  gh: [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GH_CONFIG_DIR",
  ],
  glab: ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN", "OAUTH_TOKEN", "GLAB_CONFIG_DIR"],
} as const;

export interface CodeHostTool {
  readonly name: "gh" | "glab";
  readonly path: string;
}

/** The variables of the person's own environment with which their programs find their sign-in. */
export function pickPersonalVariables(more: readonly string[] = []): Record<string, string> {
  const names = [...passedVariables, ...more];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The program for pull requests at an address, if it is installed. */
export function chooseTool({ host, repository }: RemoteAddress): CodeHostTool | undefined {
  if (!isPlainRepository(repository)) return undefined;
  const isGitLab = /(?:^|\.)gitlab\./i.test(host);
  const [first, second] = isGitLab ? (["glab", "gh"] as const) : (["gh", "glab"] as const);
  if (isGitLab || /(?:^|\.)github\./i.test(host)) return findTool(first);
  return findTool(first) ?? findTool(second); // a host of a company, which says nothing by its name
}

function findTool(name: CodeHostTool["name"]): CodeHostTool | undefined {
  const folders = findGit().folders.split(delimiter).filter(isAbsolute);
  const path = folders.map((folder) => join(folder, name)).find(isExecutable);
  return path === undefined ? undefined : { name, path };
}

/**
 * Runs the program in an empty folder, where it sees nothing of the repository. Its sign-in is its own: nothing of
 * it is read here.
 */
export async function runTool(
  { name, path }: CodeHostTool,
  args: readonly string[],
  input = "",
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-tool-"));
  try {
    return await new Promise<string>((resolve, reject) => {
      const env = {
        ...pickPersonalVariables(toolVariables[name]),
        PATH: findGit().folders,
        NO_COLOR: "1",
        NO_PROMPT: "1",
        GH_PROMPT_DISABLED: "1",
        GH_NO_UPDATE_NOTIFIER: "1",
        GLAB_CHECK_UPDATE: "false",
        GIT_TERMINAL_PROMPT: "0",
        GIT_CEILING_DIRECTORIES: tmpdir(),
      };
      const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT };
      const child = execFile(path, args, options, (failure, stdout, stderr) => {
        if (failure) reject(explain(name, failure, stderr.trim() || stdout.trim()));
        else resolve(stdout);
      });
      child.stdin?.on("error", () => {}); // it has ended before it read all of it, and says why
      child.stdin?.end(input);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function explain(name: CodeHostTool["name"], failure: Error, printed: string): OrderError {
  const { code } = failure as { readonly code?: unknown };
  const isSignedOut =
    (name === "gh" && code === GH_NOT_SIGNED_IN) ||
    /not logged in|authentication required|auth login|401 unauthorized|HTTP 401/i.test(printed);
  if (isSignedOut) {
    const detail = `${name} is not signed in there. Run \`${name} auth login\` on that machine.`;
    return new OrderError("not-signed-in", detail);
  }
  const words = (printed || failure.message).slice(0, 4000);
  return new OrderError("tool-failed", `${name} says: ${words}`);
}
