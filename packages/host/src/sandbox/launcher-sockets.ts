import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Container engines can mount any folder of the host, so these sockets give access to every file.
 */
const containerEngines = [
  "/run/docker.sock",
  "/run/docker",
  "/run/podman",
  "/run/containerd",
  "/run/k3s/containerd",
  "/run/crio",
  "/run/cri-dockerd.sock",
  "/run/buildkit",
  "/run/libvirt",
  "/var/run/docker.sock",
  "/var/lib/lxd/unix.socket",
  "/var/snap/lxd/common/lxd/unix.socket",
  "/var/lib/incus/unix.socket",
];
const containerEnginesAtHome = [
  ".docker/run",
  ".docker/desktop",
  ".colima",
  ".lima",
  ".orbstack/run",
  ".rd",
];
/** The system's service manager starts any program for root; other users need a password. */
const serviceManager = ["/run/systemd/private", "/run/dbus"];

/**
 * Known sockets in the runtime folder, for machines on which the folder itself cannot be hidden.
 */
const runtimeLaunchers = [
  "bus",
  "dbus-1",
  "systemd",
  "podman",
  "docker.sock",
  "docker",
  "containerd",
  "containerd-rootless",
  "buildkit",
  "libvirt",
];
/** Parts of the runtime folder that agents need: the keys of gpg and ssh, and the display. */
const runtimeKept =
  /^(?:gnupg|keyring|gcr|ssh-agent.*|openssh_agent|wayland-\d+(?:\.lock)?|xauth_.*|\.mutter-Xwaylandauth.*)$/;

/** Sockets of programs that start processes outside of the isolation on request. */
export function launcherSockets(home: string, env: Environment = process.env): string[] {
  const tmux = tmuxFolders(env);
  for (const folder of tmux) makeFolder(folder);
  const terminals = terminalPrograms(home, env);
  for (const { program, made } of terminals) {
    if (isInstalled(program, env)) for (const folder of made) makeFolder(folder);
  }
  const named = [env["DBUS_SESSION_BUS_ADDRESS"], env["DOCKER_HOST"], env["CONTAINER_HOST"]];
  return [
    ...runtimeFolders(env).flatMap((folder) => runtimeLaunchers.map((name) => join(folder, name))),
    ...named.flatMap(socketPaths),
    ...tmux,
    ...(env["TMUX"] === undefined ? [] : [env["TMUX"].replace(/,\d+,\d+$/, "")]),
    ...screenFolders(home, env),
    ...terminals.flatMap(({ made, others }) => [...made, ...others]),
    ...containerEngines,
    ...containerEnginesAtHome.map((path) => join(home, path)),
    ...(process.getuid?.() === 0 ? serviceManager : []),
  ];
}

/**
 * A folder of sockets: everything in it is hidden, also what is created later, except for a few
 * names.
 */
export interface SocketFolder {
  readonly path: string;
  readonly visiblePaths: readonly string[];
}

/**
 * Lists the user's runtime folders, and those in which Claude Code listens for messages of other
 * sessions. A runtime folder that a login creates later is hidden together with its parent folder.
 */
export function socketFolders(env: Environment = process.env): SocketFolder[] {
  const runtime = runtimeFolders(env).flatMap((path) => {
    const names = listed(path);
    if (names === undefined) return path.startsWith("/run/user/") ? [hideAbove(path)] : [];
    const visibleSockets = names
      .filter((name) => runtimeKept.test(name))
      .map((name) => join(path, name));
    const named = [env["SSH_AUTH_SOCK"] ?? "", env["XAUTHORITY"] ?? ""];
    return [
      {
        path,
        visiblePaths: [...visibleSockets, ...named.filter((name) => name.startsWith(`${path}/`))],
      },
    ];
  });
  const messages = listMessageFolders(env);
  for (const folder of messages) makeFolder(folder);
  return [...runtime, ...messages.map((path) => ({ path, visiblePaths: [] }))];
}

/**
 * Names of sockets without a file, which give access to the session bus. They belong to the
 * network: an agent that shares the machine's network can reach them, and hiding folders does not
 * help.
 */
export function abstractLaunchers(listing = readListing()): string[] {
  const names = listing.split("\n").map((line) => line.split(/\s+/)[7] ?? "");
  return [...new Set(names.filter((name) => /^@\/(?:tmp|run\/user\/\d+)\/dbus-/.test(name)))];
}

function runtimeFolders(env: Environment): string[] {
  const usual = `/run/user/${process.getuid?.() ?? 0}`;
  return [...new Set([env["XDG_RUNTIME_DIR"] || usual, usual])];
}

function hideAbove(path: string): SocketFolder {
  return { path: dirname(path), visiblePaths: [] };
}

/** Lists the folders of tmux's sockets, with and without a configured folder. */
function tmuxFolders(env: Environment): string[] {
  const name = `tmux-${process.getuid?.() ?? 0}`;
  return [...new Set([env["TMUX_TMPDIR"] || "/tmp", "/tmp"])].map((folder) => join(folder, name));
}

/**
 * Lists the folders in which Claude Code opens a socket for each session, by which another session
 * can start a turn without a question, and in which its background service listens, which starts
 * sessions. `cc-socks` is in the runtime folder or else the temporary one; where that cannot be
 * used, the folder named after the user is.
 */
function listMessageFolders(env: Environment): string[] {
  const user = process.getuid?.() ?? 0;
  const named = [env["XDG_RUNTIME_DIR"], env["CLAUDE_CODE_TMPDIR"], env["TMPDIR"]];
  const folders = [
    ...named.flatMap((path) => (path?.startsWith("/") ? [path] : [])),
    tmpdir(),
    "/tmp",
  ];
  return [
    ...new Set(folders.map((folder) => join(folder, "cc-socks"))),
    `/tmp/cc-socks-${user}`,
    `/tmp/cc-daemon-${user}`,
  ];
}

function screenFolders(home: string, env: Environment): string[] {
  const name = `S-${userName()}`;
  const usual = [join("/run/screen", name), join("/tmp/screens", name), join(home, ".screen")];
  return [...usual, ...(env["SCREENDIR"] ? [env["SCREENDIR"]] : [])];
}

interface TerminalProgram {
  readonly program: string;
  /** Folders for its sockets, created in advance if the program is installed. */
  readonly made: readonly string[];
  /** Folders that are hidden if they exist. */
  readonly others: readonly string[];
}

/**
 * Editors and terminal multiplexers that run commands received over a socket. If there is a runtime
 * folder they use it, and it is hidden as a whole; these are the folders that they use otherwise.
 * dtach has no folder of its own: its sockets are wherever the person puts them.
 */
function terminalPrograms(home: string, env: Environment): TerminalProgram[] {
  const [user, name] = [process.getuid?.() ?? 0, userName()];
  const temporary = [...new Set([env["TMPDIR"] || "/tmp", "/tmp"])];
  const inTemporary = (path: string) => temporary.map((folder) => join(folder, path));
  const named = (...names: string[]) => names.flatMap((each) => env[each] || []);
  return [
    {
      program: "zellij",
      made: inTemporary(`zellij-${user}`),
      others: named("ZELLIJ_SOCKET_DIR"),
    },
    {
      program: "nvim",
      made: inTemporary(`nvim.${name}`),
      others: named("NVIM", "NVIM_LISTEN_ADDRESS").filter((path) => path.startsWith("/")),
    },
    {
      program: "emacs",
      made: inTemporary(`emacs${user}`),
      others: [".emacs.d/server", ".config/emacs/server"].map((path) => join(home, path)),
    },
    {
      program: "abduco",
      made: [join(home, ".abduco")],
      others: [...named("ABDUCO_SOCKET_DIR"), ...temporary].map((path) => join(path, "abduco")),
    },
    {
      program: "dtach",
      made: [],
      others: [join(home, ".dtach"), ...inTemporary("dtach"), ...inTemporary(`dtach-${name}`)],
    },
  ];
}

function isInstalled(program: string, env: Environment): boolean {
  const folders = [
    "/usr/bin",
    "/usr/local/bin",
    "/snap/bin",
    ...(env["PATH"] ?? "").split(delimiter),
  ];
  return folders.some((folder) => isAbsolute(folder) && existsSync(join(folder, program)));
}

/**
 * Returns the files in an address such as `unix:path=/run/bus,guid=1;unix:abstract=x` or
 * `unix:///run/docker.sock`.
 */
function socketPaths(address: string | undefined): string[] {
  return (address ?? "").split(";").flatMap((part) => {
    const path = /^unix:(?:\/\/|(?:.*,)?path=)(\/[^,]*)/.exec(part)?.[1];
    return path === undefined ? [] : [path];
  });
}

/**
 * Creates a folder as the program that uses it would: a missing folder cannot be hidden, and its
 * later content would be reachable.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // The folder exists, or this user cannot create it.
  }
}

function listed(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

function readListing(): string {
  try {
    return readFileSync("/proc/net/unix", "utf8");
  } catch {
    return ""; // not on Linux
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 0); // a user without an entry in the password file
  }
}
