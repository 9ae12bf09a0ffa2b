import { escapeForTerminal } from "@signalbox/protocol/text";
import { join } from "node:path";
import {
  verifyHubIdentity,
  connect,
  type DeviceCredential,
  type HubClient,
  HubError,
  importDeviceKey,
} from "@signalbox/client";
import { readPrivateFile } from "@signalbox/hub/private-file";
import type { HubDescriptor } from "@signalbox/api";
import { COMMAND_LINE_KEY, HUB_DESCRIPTOR } from "@signalbox/api/constants";
import { hubDescriptor } from "@signalbox/api/schemas";
import { exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder } from "./data-folder.ts";
import { readHubAddressVariable } from "./hub-address.ts";
import { SeenAuditHeads } from "./seen-audit-heads.ts";

/** The option that every command shares that talks to the hub of this machine. */
export const dataOption = { data: { type: "string" } } as const;
export const dataHelp = `  --data FOLDER      Data folder of the hub (default: $SIGNALBOX_DATA, then
                     $XDG_DATA_HOME/signalbox, then ~/.local/share/signalbox)

Set $SIGNALBOX_URL to reach the hub at another address than the data folder names.`;

/** Names the data folder that was searched, because the hub of a demo uses another one. */
function createNoHubError(folder: string): CommandError {
  const address = readHubAddressVariable();
  const sentence =
    address === undefined
      ? `No hub is running on this machine (data folder ${escapeForTerminal(folder)}). Start one with \`signalbox serve\`, or choose another data folder with --data or SIGNALBOX_DATA.`
      : `No hub answers at ${address}. Start it, or correct SIGNALBOX_URL.`;
  return new CommandError(exitCode.notFound, sentence);
}

/**
 * Finds the hub that commands talk to: the descriptor in the data folder, with the address of SIGNALBOX_URL
 * if that is set. The credential always comes from the data folder, and the hub at that address has to prove
 * that it wrote the descriptor.
 */
export function findHub(folder: string): HubDescriptor | undefined {
  const found = readDescriptor(folder);
  const url = readHubAddressVariable();
  if (url === undefined) return found;
  if (found) return { ...found, url };
  throw new CommandError(
    exitCode.notFound,
    `The data folder ${escapeForTerminal(folder)} contains no credential for the hub at ${url}, which SIGNALBOX_URL names: ${HUB_DESCRIPTOR} is missing. Choose the data folder of that hub with --data or SIGNALBOX_DATA.`,
  );
}

/** The descriptor that a running hub keeps in its data folder; undefined if no hub runs. */
export function readDescriptor(folder: string): HubDescriptor | undefined {
  const path = join(folder, HUB_DESCRIPTOR);
  let text: string | undefined;
  try {
    text = readPrivateFile(path);
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    const unread = `Could not read ${path} (${message}). Choose the data folder of the hub with --data.`;
    throw new CommandError(exitCode.refused, code === undefined ? message : unread);
  }
  if (text === undefined) return undefined;
  const { data, error } = hubDescriptor.safeParse(parseJson(text));
  if (data) return data;
  throw new CommandError(
    exitCode.agentError,
    `Could not read ${path} (${error.issues[0]?.message}). Restart the hub with \`signalbox serve\`.`,
  );
}

export interface LocalHub extends HubClient {
  /** The hub's id, which stays the same when the hub restarts. */
  readonly id: string;
  /** Connects as a terminal that an approver has confirmed, with the id and the key of that terminal. */
  connectAs(terminal: Omit<DeviceCredential, "hub">): HubClient;
}

/** Connects to the hub of this machine after the hub has proven its identity. */
export async function connectLocalHub(named: string | undefined): Promise<LocalHub> {
  const folder = resolveDataFolder(named);
  const found = findHub(folder);
  if (!found) throw createNoHubError(folder);
  try {
    await verifyHubIdentity(found);
  } catch (failure) {
    if (!HubError.is(failure, "unreachable")) throw failure;
    throw createNoHubError(folder);
  }
  const locator = new HubLocator(folder, found);
  const url = () => locator.url;
  const ownKey = await importDeviceKey(readCommandLineKey(folder));
  const connectAs = (key: Omit<DeviceCredential, "hub">) =>
    connect({ url, credentials: { get: () => locator.getCredential(key) } });
  const hub = connectAs(ownKey);
  new SeenAuditHeads().add(found.hub, (await hub.hub()).auditHead);
  return Object.assign(hub, { id: found.hub, connectAs });
}

/** Follows a hub that may come back at another port. Its id and key stay those of the first descriptor. */
class HubLocator {
  readonly #folder: string;
  readonly #first: HubDescriptor;
  url: string;

  constructor(folder: string, found: HubDescriptor) {
    this.#folder = folder;
    this.#first = found;
    this.url = found.url;
  }

  /** Reads the descriptor before each call. The program at that address has to prove that it has the key. */
  getCredential(key: Omit<DeviceCredential, "hub">): DeviceCredential {
    const found = findHub(this.#folder);
    if (!found) {
      const detail = `The hub at ${this.url} is no longer running.`;
      throw new HubError({ code: "unreachable", status: 0, detail });
    }
    this.url = found.url;
    return { ...key, hub: { id: this.#first.hub, key: this.#first.key } };
  }
}

/** The credential of the command line for the hub that wrote this descriptor. */
export async function getCommandLineCredential(
  folder: string,
  found: HubDescriptor,
): Promise<DeviceCredential> {
  return {
    ...(await importDeviceKey(readCommandLineKey(folder))),
    hub: { id: found.hub, key: found.key },
  };
}

/** The key of the command line, which the hub writes for programs of the same user. */
function readCommandLineKey(folder: string): string {
  const path = join(folder, COMMAND_LINE_KEY);
  const text = readPrivateFile(path);
  if (text !== undefined) return text;
  throw new CommandError(
    exitCode.refused,
    `${path} is missing. The command line needs it to sign in to the hub. Restart the hub with \`signalbox serve\`.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
