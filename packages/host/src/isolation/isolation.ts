import { fileURLToPath } from "node:url";
import { type IsolationProfile, isolationProfiles } from "@signalbox/api/constants";
import type { Launch } from "../launch/launch.ts";
import { launchFailed } from "../launch/run-end.ts";
import { authorizedKeys } from "../sandbox/authorized-keys.ts";
import { bubblewrapArguments, type BubblewrapSetup } from "../sandbox/bubblewrap-arguments.ts";
import { type Bubblewrap, findBubblewrap } from "../sandbox/find-bubblewrap.ts";
import { type HiddenPath, hiddenPaths } from "../sandbox/hidden-paths.ts";
import { abstractLaunchers } from "../sandbox/launcher-sockets.ts";
import { findModelEndpoint } from "./model-endpoint.ts";
import { type ModelGate, openModelGate } from "./model-gate.ts";
import { OWN_SANDBOX_FAILS, wantsOwnSandbox } from "./own-sandbox.ts";
import { type FolderList, resolveFolders, isWithin, resolveRealPath } from "../sandbox/paths.ts";
import { runtimeCommand } from "../system/runtime-command.ts";
import { guardedProgramFolders } from "../sandbox/program-folders.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import type { IsolationState } from "../launch/isolation-state.ts";
import { readOnlyPaths, writablePaths } from "./writable-paths.ts";

export interface IsolationOptions {
  /** Folders of Signalbox's own, which no agent may see. */
  readonly hide: FolderList;
  /** Folders inside of those that agents may read. */
  readonly readable?: readonly string[];
  /** How bubblewrap is found; tests name another way. */
  readonly find?: () => Promise<Bubblewrap>;
}

/** A folder that the processes may write although it lies in a hidden one. */
interface WorkFolder {
  readonly path: string;
  /** Where the processes find it. */
  readonly inside: string;
}

/** A program to start and its arguments. */
interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** How the processes of one run are started. */
export interface IsolationPlan {
  readonly state: IsolationState;
  /** The processes have a PID namespace of their own, which ends as a whole. */
  readonly hasNamespace: boolean;
  wrap(command: CommandLine): CommandLine;
  /** Gives back what was opened for the run. */
  release(): void;
}

/** Starts as it would be without Signalbox. */
function planWithoutIsolation(profile: IsolationProfile, why: string): IsolationPlan {
  return {
    state: { profile, isolated: false, why },
    hasNamespace: false,
    wrap: (command) => command,
    release: () => {},
  };
}

/** As a source it is run by Bun, as a built file by whatever runs this one. */
const FORWARD = fileURLToPath(
  new URL(`./forward-inside.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url),
);
/** Where the agent's side finds the gate to its model: /dev is a folder of each run's own. */
const SOCKET_INSIDE = "/dev/signalbox-model.sock";
const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** Isolates the agents of one runner. What is found out about the machine is kept for the next start. */
export class Isolation {
  readonly #options: IsolationOptions;
  #working: Bubblewrap | undefined;

  constructor(options: IsolationOptions) {
    this.#options = options;
  }

  /** Rejects with `LAUNCH_FAILED` when what the launch wants cannot be had. */
  async plan(
    launch: Launch,
    folder: string,
    env: Readonly<Record<string, string>>,
    work?: WorkFolder,
  ): Promise<IsolationPlan> {
    const profile = parseProfile(launch.isolation);
    if (profile === "off")
      return planWithoutIsolation(profile, "it was turned off for this session");
    const hide = resolveFolders(this.#options.hide);
    const hidden = hiddenPaths(hide, undefined, env);
    const readable = (this.#options.readable ?? []).map(resolveRealPath);
    refuseHiddenFolder(folder, hidden);
    const writable =
      profile === "write-here-only" ? await writablePaths(launch, folder, env) : undefined;
    const own = guardedProgramFolders([folder, ...(launch.addDirs ?? [])].map(resolveRealPath));
    const readOnly = [...authorizedKeys(), ...own.guarded, ...(writable ? readOnlyPaths(env) : [])];
    const places = { hidden, readable, readOnly, ...(writable && { writable }) };
    const wanted: WantedIsolation = { profile, launch, folder, env, hide, places, work };
    if (process.platform === "darwin") return planOnMac(wanted);
    const { path, why } = await this.#bubblewrap();
    if (path !== undefined) return planWithBubblewrap(path, wanted, own.isOpen);
    // Whoever chose a stricter profile relies on it; the default one is the best that can be had.
    if (profile !== "default") throw unavailable(profile, why);
    return planWithoutIsolation(profile, why);
  }

  /** One that works is kept. One that does not is looked for again: it may be installed meanwhile. */
  async #bubblewrap(): Promise<Bubblewrap> {
    if (process.platform !== "linux") return { why: `there is none for ${process.platform}` };
    if (this.#working) return this.#working;
    const found = await (this.#options.find ?? findBubblewrap)();
    if (found.path !== undefined) this.#working = found;
    return found;
  }
}

/** What an agent is to be isolated with, whatever program does it. */
interface WantedIsolation {
  readonly profile: IsolationProfile;
  readonly launch: Launch;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hide: readonly string[];
  readonly places: Pick<BubblewrapSetup, "hidden" | "readable" | "writable" | "readOnly">;
  readonly work: WorkFolder | undefined;
}

function planOnMac({ profile, places, work }: WantedIsolation): IsolationPlan {
  if (profile === "no-network") throw unavailable(profile, "macOS has no way for it yet");
  const rules = seatbeltProfile({ ...places, ...(work && { work: work.path }) });
  const state = { profile, isolated: true, by: "sandbox-exec" } as const;
  return wrapWith(state, [SANDBOX_EXEC, "-p", rules], false);
}

/** `isOpen`: whether the agent may write where its own program is. */
async function planWithBubblewrap(
  path: string,
  { profile, launch, folder, env, hide, places, work }: WantedIsolation,
  isOpen: boolean,
): Promise<IsolationPlan> {
  const asRoot = process.getuid?.() === 0;
  const gate = profile === "no-network" ? await openModelAccess(env, hide) : undefined;
  const environment = gate?.environment ?? {};
  const socket = gate ? [{ path: gate.socket, inside: SOCKET_INSIDE }] : [];
  const shown = [...socket, ...(work ? [work] : [])];
  const setup = { ...places, shown, folder, network: !gate, environment, asRoot };
  const forward = gate ? [...runtimeCommand(), FORWARD, String(gate.port), SOCKET_INSIDE] : [];
  const start = [path, ...bubblewrapArguments(setup), ...forward];
  const remark = [
    ...(asRoot && wantsOwnSandbox(launch, folder, env) ? [OWN_SANDBOX_FAILS] : []),
    ...(isOpen ? [OWN_PROGRAM_OPEN] : []),
    ...(gate ? [] : abstractLaunchers().map(reachableAnyway)),
  ].join(" ");
  const state = { profile, isolated: true, by: "bubblewrap", ...(remark && { remark }) } as const;
  return { ...wrapWith(state, start, true), release: () => gate?.close() };
}

/** The model must be reached: an agent that cannot ask it does nothing. */
async function openModelAccess(
  env: Readonly<Record<string, string>>,
  hidden: readonly string[],
): Promise<ModelGate> {
  const endpoint = findModelEndpoint(env);
  if (typeof endpoint === "string") throw unavailable("no-network", endpoint);
  return openModelGate(endpoint, hidden);
}

function wrapWith(
  state: IsolationState,
  [command = "", ...before]: readonly string[],
  hasNamespace: boolean,
): IsolationPlan {
  return {
    state,
    hasNamespace,
    wrap: (inner) => ({ command, args: [...before, inner.command, ...inner.args] }),
    release: () => {},
  };
}

function parseProfile(name: string | undefined): IsolationProfile {
  const profile = isolationProfiles.find((each) => each === (name ?? "default"));
  if (profile) return profile;
  const why = `"${name}" is none of ${isolationProfiles.join(", ")}`;
  throw launchFailed("bad-launch", { field: "isolation", why });
}

function refuseHiddenFolder(folder: string, hidden: readonly HiddenPath[]): void {
  const over = hidden.find(({ path }) => isWithin(path, folder));
  if (!over) return;
  const why = `it lies in ${over.path}, which is hidden from agents`;
  throw launchFailed("folder-unusable", { folder, why });
}

const OWN_PROGRAM_OPEN =
  "Signalbox's own program lies in or around a folder of this session, so that the agent can change what hub, runner and commands run at their next start. Choose another folder, or install Signalbox elsewhere.";

function reachableAnyway(socket: string): string {
  return `The session bus listens on ${socket}, a socket without a file, which only the profile no-network keeps from agents: through it an agent can have programs started outside of the isolation. Start the bus with a socket in XDG_RUNTIME_DIR, as systemd does, or choose no-network.`;
}

function unavailable(profile: IsolationProfile, why: string) {
  return launchFailed("isolation-unavailable", { profile, why });
}
