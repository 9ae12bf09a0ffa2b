import { isExecutable } from "../system/is-executable.ts";
import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join } from "node:path";

const PROBE_MS = 20_000;
/** System folders come first: an agent can put a program of that name into the user's own folders. */
export const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

export const INSTALL_BUBBLEWRAP =
  "install it with `sudo apt-get install bubblewrap` (Debian, Ubuntu), `sudo dnf install bubblewrap` (Fedora) or `sudo pacman -S bubblewrap` (Arch)";

/**
 * The arguments of every isolated start; the probe checks that this machine allows them. A separate
 * session has no controlling terminal: otherwise agents would inherit the terminal in which the hub
 * was started.
 */
export const namespaceArguments = [
  "--unshare-pid",
  "--proc",
  "/proc",
  "--die-with-parent",
  "--new-session",
];

export type Bubblewrap =
  | { readonly path: string; readonly why?: never }
  | { readonly path?: never; readonly why: string };

/** Finds a working bubblewrap, or returns why there is none. */
export async function findBubblewrap(
  searchPath: string = process.env["PATH"] ?? "",
): Promise<Bubblewrap> {
  const folders = [...systemFolders, ...searchPath.split(delimiter).filter(isAbsolute)];
  const path = folders.map((folder) => join(folder, "bwrap")).find(isExecutable);
  if (path === undefined) {
    return { why: `bubblewrap is not installed: ${INSTALL_BUBBLEWRAP}` };
  }
  const failure = await probe(path);
  if (failure === undefined) return { path };
  return { why: `${path} does not work here: ${failure}` };
}

/** Starts `true` in separate namespaces. Containers and hardened kernels forbid that. */
function probe(path: string): Promise<string | undefined> {
  const args = [
    "--dev-bind",
    "/",
    "/",
    ...namespaceArguments,
    "--dev",
    "/dev",
    "--",
    "/bin/sh",
    "-c",
    ":",
  ];
  return new Promise((resolve) => {
    execFile(path, args, { timeout: PROBE_MS, env: {} }, (failure, _, stderr) => {
      if (!failure) return resolve(undefined);
      const errorText = stderr
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^bwrap: /, "");
      resolve(errorText === undefined || errorText === "" ? failure.message : errorText);
    });
  });
}
