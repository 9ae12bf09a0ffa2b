import { lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join, sep } from "node:path";

/** The profiles of browsers: they hold the key of the device with which a person approves. */
const browserProfiles = [
  ".config/chromium",
  ".config/google-chrome",
  ".config/google-chrome-beta",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".config/vivaldi",
  ".config/opera",
  ".mozilla",
  ".librewolf",
  ".zen",
  "snap/chromium",
  "snap/firefox",
  ".var/app/org.mozilla.firefox",
  ".var/app/org.chromium.Chromium",
  ".var/app/com.google.Chrome",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Chromium",
  "Library/Application Support/BraveSoftware",
  "Library/Application Support/Microsoft Edge",
  "Library/Application Support/Firefox",
  "Library/Safari",
];

/** Sockets of programs that start a process outside of the isolation for whoever asks them to. */
function launcherSockets(): string[] {
  const uid = process.getuid?.() ?? 0;
  const runtime = process.env["XDG_RUNTIME_DIR"] ?? `/run/user/${uid}`;
  return [
    join(runtime, "bus"), // the session bus, and behind it systemd-run --user
    join(runtime, "systemd"),
    tmuxFolder(),
    `/run/screen/S-${userName()}`,
  ];
}

/**
 * Where tmux keeps its sockets. It is made if it is missing, as tmux makes it: what does not exist cannot be
 * hidden, and a tmux that is started later would be reached.
 */
function tmuxFolder(): string {
  return join(process.env["TMUX_TMPDIR"] ?? "/tmp", `tmux-${process.getuid?.() ?? 0}`);
}

function makeTmuxFolder(): void {
  try {
    mkdirSync(tmuxFolder(), { mode: 0o700 });
  } catch {
    // It is there, or cannot be made by anybody of this user's.
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 0); // a user without an entry in the password file
  }
}

export interface HiddenPath {
  /** Without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Everything that an isolated agent must not see: the named folders of Signalbox's, the profiles of
 * browsers, and the sockets by which a process outside could be started. Only what exists is named;
 * what lies inside another hidden folder is left out.
 */
export function hiddenPaths(folders: readonly string[], home: string = homedir()): HiddenPath[] {
  const profiles = browserProfiles.map((profile) => join(home, profile));
  makeTmuxFolder();
  const all = [...folders, ...profiles, ...launcherSockets()];
  const real = [...new Set(all.flatMap(existing))].toSorted();
  const keptWhole = new Set(["/", realOf(home), realOf(tmpdir())]);
  return real
    .filter((path) => !keptWhole.has(path)) // a mistake in the settings must not hide all there is
    .filter((path) => !real.some((other) => other !== path && isWithin(other, path)))
    .map((path) => ({ path, isFolder: statSync(path).isDirectory() }));
}

/** Whether a path is a folder or lies inside of it. Both are without links. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function existing(path: string): string[] {
  try {
    lstatSync(path);
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** The path without links, also where its last part does not exist yet. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), path.slice(above.length));
  }
}
