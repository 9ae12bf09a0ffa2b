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
import {
  COMMAND_LINE_KEY,
  HUB_DESCRIPTOR,
  type HubDescriptor,
  hubDescriptor,
} from "@signalbox/api";
import { exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder } from "./data-folder.ts";
import { readHubAddressVariable } from "./hub-address.ts";
import { SeenAuditHeads } from "./seen-audit-heads.ts";

/** The option that all commands share which talk to the hub of this machine. */
export const dataOption = { data: { type: "string" } } as const;
export const dataHelp = `  --data FOLDER     the hub's data folder, if it is neither the usual one nor $SIGNALBOX_DATA;
                    $SIGNALBOX_URL is the hub's address, if it is not the one written there`;

/** No hub answers: the sentence says where it was looked for, since a demo's folder is another one. */
function createNoHubError(folder: string): CommandError {
  const address = readHubAddressVariable();
  const sentence =
    address === undefined
      ? `No hub runs here. Start one with \`signalbox serve\`. Looked in ${escapeForTerminal(folder)}; --data or SIGNALBOX_DATA names another data folder.`
      : `No hub answers at ${address}, which SIGNALBOX_URL names.`;
  return new CommandError(exitCode.notFound, sentence);
}

/**
 * The hub that commands talk to: what the hub of this data folder has left there, at the address that
 * SIGNALBOX_URL names if it is set. The credential is always the one in the data folder, and the hub at
 * that address has to prove that it is the one that wrote it.
 */
export function findHub(folder: string): HubDescriptor | undefined {
  const found = readDescriptor(folder);
  const url = readHubAddressVariable();
  if (url === undefined) return found;
  if (found) return { ...found, url };
  throw new CommandError(
    exitCode.notFound,
    `SIGNALBOX_URL names the hub at ${url}, but ${escapeForTerminal(folder)} holds no credential for it: there is no ${HUB_DESCRIPTOR}, which a hub writes while it runs. Name that hub's data folder with --data or SIGNALBOX_DATA.`,
  );
}

/** What the hub of this folder has left for programs of the same user; undefined: none runs. */
export function readDescriptor(folder: string): HubDescriptor | undefined {
  const path = join(folder, HUB_DESCRIPTOR);
  let text: string | undefined;
  try {
    text = readPrivateFile(path);
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    const unread = `${path} cannot be read (${message}). Name the hub's own data folder with --data.`;
    throw new CommandError(exitCode.refused, code === undefined ? message : unread);
  }
  if (text === undefined) return undefined;
  const { data, error } = hubDescriptor.safeParse(parseJson(text));
  if (data) return data;
  throw new CommandError(
    exitCode.agentError,
    `${path} cannot be read (${error.issues[0]?.message}). Restart the hub with \`signalbox serve\`.`,
  );
}

export interface LocalHub extends HubClient {
  /** The hub's own id, which stays over restarts. */
  readonly id: string;
  /** The same hub, for a terminal that was confirmed: its id there and its own key. */
  connectAs(terminal: Omit<DeviceCredential, "hub">): HubClient;
}

/** Connects to the hub of this machine, after it has shown that it is the one. */
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
  const place = new HubLocator(folder, found);
  const url = () => place.url;
  const ownKey = await importDeviceKey(readCommandLineKey(folder));
  const holding = (key: Omit<DeviceCredential, "hub">) =>
    connect({ url, credentials: { get: () => place.getCredential(key) } });
  const hub = holding(ownKey);
  const connectAs = holding;
  new SeenAuditHeads().add(found.hub, (await hub.hub()).auditHead);
  return Object.assign(hub, { id: found.hub, connectAs });
}

/** Where the hub is: it may come back at another port, and has the key by which it was first known. */
class HubLocator {
  readonly #folder: string;
  readonly #first: HubDescriptor;
  url: string;

  constructor(folder: string, found: HubDescriptor) {
    this.#folder = folder;
    this.#first = found;
    this.url = found.url;
  }

  /** Looked up before each call. Whoever listens there has to prove that it holds the key. */
  getCredential(key: Omit<DeviceCredential, "hub">): DeviceCredential {
    const found = findHub(this.#folder);
    if (!found) {
      const detail = `The hub at ${this.url} does not run any more.`;
      throw new HubError({ code: "unreachable", status: 0, detail });
    }
    this.url = found.url;
    return { ...key, hub: { id: this.#first.hub, key: this.#first.key } };
  }
}

/** What the command line is to the hub that wrote this descriptor. */
export async function getCommandLineCredential(
  folder: string,
  found: HubDescriptor,
): Promise<DeviceCredential> {
  return {
    ...(await importDeviceKey(readCommandLineKey(folder))),
    hub: { id: found.hub, key: found.key },
  };
}

/** The command line's own key, which the hub has left for programs of the same user. */
function readCommandLineKey(folder: string): string {
  const path = join(folder, COMMAND_LINE_KEY);
  const text = readPrivateFile(path);
  if (text !== undefined) return text;
  throw new CommandError(
    exitCode.refused,
    `${path} is missing: it lets the command line speak to the hub. Restart the hub with \`signalbox serve\`.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
