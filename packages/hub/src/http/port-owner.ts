import { readdir, readFile, readlink } from "node:fs/promises";

/** The process that listens on a port, as far as /proc tells, such as `nginx (process 812)`. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const inodes = await listeningInodes(port);
  if (inodes.size === 0) return undefined;
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of processes) {
    if (!(await holdsSocket(pid, inodes))) continue;
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "a program");
    return `${name.trim()} (process ${pid})`;
  }
  return undefined;
}

async function listeningInodes(port: number): Promise<Set<string>> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  const rows = tables.flatMap((table) => table.split("\n")).map((row) => row.trim().split(/\s+/));
  // The columns are: sl, local address, remote address, state (0A: listening), …, inode.
  const listening = rows.filter((row) => row[1]?.endsWith(`:${hex}`) && row[3] === "0A");
  return new Set(listening.map((row) => `socket:[${row[9]}]`));
}

async function holdsSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(
    files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")),
  );
  return targets.some((target) => inodes.has(target));
}
