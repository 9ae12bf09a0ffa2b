/** Where a remote leads. */
export interface RemoteAddress {
  /** As Git takes it. */
  readonly url: string;
  /** Without a password, as it is shown. */
  readonly shown: string;
  /** Why nothing is sent there; null: it can be. */
  readonly problem: string | null;
  readonly host: string;
  /** The owner and the name, such as `team/shop`. */
  readonly repository: string;
}

const PLAIN_HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const PLAIN_REPOSITORY = /^[\w.~-]+(?:\/[\w.~-]+)+$/;

/** Reads the address of a remote. Others than https and ssh could run programs or reach this machine's files. */
export function parseRemoteAddress(url: string): RemoteAddress {
  const { host, path, shown } = splitAddress(url);
  const repository = path
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
  return { url, shown, host, repository, problem: findProblem(host, url) };
}

function findProblem(host: string, url: string): string | null {
  if (url === "") return "The remote has no address.";
  if (host === "") {
    return "Signalbox pushes to https and ssh addresses alone. Push to this one in a shell.";
  }
  return PLAIN_HOST.test(host) ? null : "The address of the remote names no host.";
}

/** Whether the repository can be named to `gh` and `glab`. */
export function isPlainRepository(repository: string): boolean {
  return PLAIN_REPOSITORY.test(repository) && !/(?:^|\/)[.-]/.test(repository);
}

function splitAddress(url: string): { host: string; path: string; shown: string } {
  if (/^(?:https|ssh):\/\//i.test(url)) {
    const parsed = URL.parse(url);
    if (!parsed) return { host: "", path: "", shown: url };
    const { hostname: host, pathname: path } = parsed;
    const isSecret = parsed.password !== "" || parsed.protocol === "https:";
    if (isSecret) [parsed.username, parsed.password] = ["", ""];
    return { host, path, shown: isSecret ? parsed.href : url };
  }
  // The short form of ssh, `user@host:path`. With a slash before the colon it is a path.
  const [, host = "", path = ""] =
    /^(?:[\w.-]+@)?([^/:@\s[\]]+):(?!:|\/\/)([^\0]+)$/.exec(url) ?? [];
  return { host, path, shown: url };
}
