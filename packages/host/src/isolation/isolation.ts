import { fileURLToPath } from "node:url";
import { type IsolationProfile, isolationProfiles } from "@signalbox/api/constants";
import type { Launch } from "../launch/launch.ts";
import { createLaunchError } from "../launch/run-end.ts";
import { findAuthorizedKeys } from "../sandbox/authorized-keys.ts";
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
  /** Signalbox's own folders, which no agent may see. */
  readonly hide: FolderList;
  /** Folders inside the hidden ones that agents may read. */
  readonly readable?: readonly string[];
  /** Finds bubblewrap; replaced in tests. */
  readonly find?: () => Promise<Bubblewrap>;
}

/** A folder inside a hidden one that the processes may read, and write unless it is read-only. */
export interface WorkFolder {
  readonly path: string;
  /** The path of that folder inside the isolation. */
  readonly inside: string;
  readonly isReadOnly?: boolean;
}

/** A program to start, its arguments and its environment. */
interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Variables with which the C library loads code into a program or writes files for it. They may name folders that
 * agents write, so the program that isolates must not have them.
 */
const loaderVariable = /^(?:LD_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|MALLOC_TRACE$|NLSPATH$)/;

/** How the processes of one run are started. */
export interface IsolationPlan {
  readonly state: IsolationState;
  /** Whether the processes have their own PID namespace, which ends as a whole. */
  readonly hasNamespace: boolean;
  wrap(command: CommandLine): CommandLine;
  /** Releases what was opened for the run. */
  release(): void;
}

/** A plan that starts the command unchanged. */
function planWithoutIsolation(profile: IsolationProfile, why: string): IsolationPlan {
  return {
    state: { profile, isolated: false, why },
    hasNamespace: false,
    wrap: (command) => command,
    release: () => {},
  };
}

/** Bun runs this file as a source; as a built file it runs on the runtime of this process. */
const FORWARD = fileURLToPath(
  new URL(`./forward-inside.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url),
);
/** The path of the model gate inside the isolation: /dev is a separate folder for each run. */
const SOCKET_INSIDE = "/dev/signalbox-model.sock";
const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** Isolates the agents of one runner. Facts about the machine are cached for the next start. */
export class Isolation {
  readonly #options: IsolationOptions;
  #working: Bubblewrap | undefined;

  constructor(options: IsolationOptions) {
    this.#options = options;
  }

  /** Rejects with `LAUNCH_FAILED` if the launch requires an isolation that is not available. */
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
    const readOnly = [
      ...findAuthorizedKeys(),
      ...own.guarded,
      ...(writable ? readOnlyPaths(env) : []),
    ];
    const places = { hidden, readable, readOnly, ...(writable && { writable }) };
    const wanted: IsolationRequest = { profile, launch, folder, env, hide, places, work };
    if (process.platform === "darwin") return planForMac(wanted);
    const { path, why } = await this.#bubblewrap();
    if (path !== undefined) return planWithBubblewrap(path, wanted, own.isOpen);
    // A stricter profile is a requirement; the default profile uses what is available.
    if (profile !== "default") throw createUnavailable(profile, why);
    return planWithoutIsolation(profile, why);
  }

  /**
   * A working bubblewrap is cached. A failed search is repeated, because it may be installed later.
   */
  async #bubblewrap(): Promise<Bubblewrap> {
    if (process.platform !== "linux") return { why: `there is none for ${process.platform}` };
    if (this.#working) return this.#working;
    const found = await (this.#options.find ?? findBubblewrap)();
    if (found.path !== undefined) this.#working = found;
    return found;
  }
}

/** What an agent's isolation must provide, independent of the program that implements it. */
interface IsolationRequest {
  readonly profile: IsolationProfile;
  readonly launch: Launch;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hide: readonly string[];
  readonly places: Pick<BubblewrapSetup, "hidden" | "readable" | "writable" | "readOnly">;
  readonly work: WorkFolder | undefined;
}

function planForMac({ profile, places, work }: IsolationRequest): IsolationPlan {
  if (profile === "no-network") throw createUnavailable(profile, "macOS has no way for it yet");
  const rules = seatbeltProfile({ ...places, ...(work && { work: work.path }) });
  const state = { profile, isolated: true, by: "sandbox-exec" } as const;
  return wrapWith(state, [SANDBOX_EXEC, "-p", rules], false);
}

/** `isOpen`: whether the agent may write in the folder of its own program. */
async function planWithBubblewrap(
  path: string,
  { profile, launch, folder, env, hide, places, work }: IsolationRequest,
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
    ...(gate ? [] : abstractLaunchers().map(describeReachableSocket)),
  ].join(" ");
  const state = { profile, isolated: true, by: "bubblewrap", ...(remark && { remark }) } as const;
  const plan = wrapWith(state, start, true);
  return { ...plan, wrap: (inner) => setInside(plan.wrap(inner)), release: () => gate?.close() };
}

/** The model must be reachable, because an agent cannot do anything without it. */
async function openModelAccess(
  env: Readonly<Record<string, string>>,
  hidden: readonly string[],
): Promise<ModelGate> {
  const endpoint = findModelEndpoint(env);
  if (typeof endpoint === "string") throw createUnavailable("no-network", endpoint);
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
    wrap: (inner) => ({ ...inner, command, args: [...before, inner.command, ...inner.args] }),
    release: () => {},
  };
}

/** Has bubblewrap set variables of the C library inside. */
function setInside({ env, args, ...wrapped }: CommandLine): CommandLine {
  const variables = Object.entries(env);
  const isInside = ([name]: [string, string]) => loaderVariable.test(name);
  const set = variables.filter(isInside).flatMap((variable) => ["--setenv", ...variable]);
  const others = variables.filter((variable) => !isInside(variable));
  return { ...wrapped, args: [...set, ...args], env: Object.fromEntries(others) };
}

function parseProfile(name: string | undefined): IsolationProfile {
  const profile = isolationProfiles.find((each) => each === (name ?? "default"));
  if (profile) return profile;
  const why = `"${name}" is none of ${isolationProfiles.join(", ")}`;
  throw createLaunchError("bad-launch", { field: "isolation", why });
}

function refuseHiddenFolder(folder: string, hidden: readonly HiddenPath[]): void {
  const over = hidden.find(({ path }) => isWithin(path, folder));
  if (!over) return;
  const why = `it lies in ${over.path}, which is hidden from agents`;
  throw createLaunchError("folder-unusable", { folder, why });
}

const OWN_PROGRAM_OPEN =
  "Signalbox's own program lies in or around a folder of this session, so that the agent can change what hub, runner and commands run at their next start. Choose another folder, or install Signalbox elsewhere.";

function describeReachableSocket(socket: string): string {
  return `The session bus listens on ${socket}, a socket without a file, which only the profile no-network keeps from agents: through it an agent can have programs started outside of the isolation. Start the bus with a socket in XDG_RUNTIME_DIR, as systemd does, or choose no-network.`;
}

function createUnavailable(profile: IsolationProfile, why: string) {
  return createLaunchError("isolation-unavailable", { profile, why });
}
