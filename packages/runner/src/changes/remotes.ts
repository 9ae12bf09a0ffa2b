import type { RemoteState, RemoteView } from "@signalbox/api";
import { decodeStrictly, runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { chooseTool } from "./code-host.ts";
import { findHead } from "./comparison.ts";
import { parseRemoteAddress, type RemoteAddress } from "./remote-address.ts";
import type { Repository } from "./repository.ts";

const MAX_REMOTES = 20;
const MAX_COMMITS = 50;

/** Where the current branch could be pushed, as far as this machine knows. */
export async function readRemote({ folder }: Repository): Promise<RemoteState> {
  const [branch, commit, names] = await Promise.all([
    readLine(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
    findHead(folder),
    readLine(folder, ["remote"]),
  ]);
  const all = (names ?? "").split("\n").filter(Boolean).slice(0, MAX_REMOTES);
  const remotes = await Promise.all(all.map((name) => describeRemote(folder, name)));
  const followed =
    branch === undefined
      ? undefined
      : await readLine(folder, ["config", "--get", `branch.${branch}.remote`]);
  const origin = all.includes("origin") ? "origin" : all[0];
  return {
    branch: branch ?? null,
    commit,
    remote: (followed !== undefined && all.includes(followed) ? followed : origin) ?? null,
    remotes,
    unpushed: commit === null ? [] : await listUnpushed(folder),
  };
}

/** Where a remote leads now. Throws if it is not what a person was shown. */
export async function requireRemote(
  { folder }: Repository,
  shown: { readonly remote: string; readonly url: string },
): Promise<RemoteAddress> {
  const address = await readAddress(folder, shown.remote);
  if (address === undefined || address.shown !== shown.url) {
    const detail = `The remote ${shown.remote} does not lead to ${shown.url} any more. Look at it again.`;
    throw new OrderError("stale-remote", detail);
  }
  if (address.problem !== null) throw new OrderError("stale-remote", address.problem);
  return address;
}

async function readAddress(folder: string, remote: string): Promise<RemoteAddress | undefined> {
  if (remote.startsWith("-")) return undefined;
  const url = await readLine(folder, ["remote", "get-url", "--push", remote]);
  return url === undefined ? undefined : parseRemoteAddress(url);
}

async function describeRemote(folder: string, name: string): Promise<RemoteView> {
  const address = (await readAddress(folder, name)) ?? parseRemoteAddress("");
  const head = await readLine(folder, ["symbolic-ref", "--quiet", `refs/remotes/${name}/HEAD`]);
  const base = head?.slice(`refs/remotes/${name}/`.length);
  const { shown, problem } = address;
  const tool = problem === null ? (chooseTool(address)?.name ?? null) : null;
  return { name, url: shown, problem, tool, base: base ?? (await guessBase(folder, name)) };
}

async function guessBase(folder: string, remote: string): Promise<string | null> {
  for (const name of ["main", "master", "trunk"]) {
    const ref = `refs/remotes/${remote}/${name}`;
    if (await readLine(folder, ["rev-parse", "--verify", "--quiet", ref])) return name;
  }
  return null;
}

async function listUnpushed(folder: string): Promise<RemoteState["unpushed"]> {
  const args = [
    "log",
    `--max-count=${MAX_COMMITS}`,
    "--format=%H %s",
    "HEAD",
    "--not",
    "--remotes",
  ];
  const { bytes, trouble } = await runGit(folder, args);
  if (trouble !== undefined) return [];
  const lines = bytes.toString().split("\n").filter(Boolean);
  return lines.map((line) => {
    const [id = ""] = line.split(" ", 1);
    return { id, subject: line.slice(id.length + 1) };
  });
}

async function readLine(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { bytes, trouble } = await runGit(folder, args);
  const text = trouble === undefined ? decodeStrictly(bytes)?.replace(/\n$/, "") : undefined;
  return text === "" ? undefined : text;
}
