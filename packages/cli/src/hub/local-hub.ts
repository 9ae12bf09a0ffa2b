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
import { Failure } from "../failure.ts";
import { dataFolder } from "./data-folder.ts";
import { addressInEnvironment } from "./hub-address.ts";
import { KeptHeads } from "./kept-heads.ts";

/** The option that all commands share which talk to the hub of this machine. */
export const dataOption = { data: { type: "string" } } as const;
export const dataHelp = `  --data FOLDER     the hub's data folder, if it is neither the usual one nor $SIGNALBOX_DATA;
                    $SIGNALBOX_URL is the hub's address, if it is not the one written there`;

/** No hub answers: the sentence says where it was looked for, since a demo's folder is another one. */
function noHub(folder: string): Failure {
  const address = addressInEnvironment();
  const sentence =
    address === undefined
      ? `No hub runs here. Start one with \`signalbox serve\`. Looked in ${escapeForTerminal(folder)}; --data or SIGNALBOX_DATA names another data folder.`
      : `No hub answers at ${address}, which SIGNALBOX_URL names.`;
  return new Failure(exitCode.notFound, sentence);
}

/**
 * The hub that commands talk to: what the hub of this data folder has left there, at the address that
 * SIGNALBOX_URL names if it is set. The credential is always the one in the data folder, and the hub at
 * that address has to prove that it is the one that wrote it.
 */
export function findHub(folder: string): HubDescriptor | undefined {
  const found = readDescriptor(folder);
  const url = addressInEnvironment();
  if (url === undefined) return found;
  if (found) return { ...found, url };
  throw new Failure(
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
    throw new Failure(exitCode.refused, code === undefined ? message : unread);
  }
  if (text === undefined) return undefined;
  const { data, error } = hubDescriptor.safeParse(parse(text));
  if (data) return data;
  throw new Failure(
    exitCode.agentError,
    `${path} cannot be read (${error.issues[0]?.message}). Restart the hub with \`signalbox serve\`.`,
  );
}

export interface LocalHub extends HubClient {
  /** The hub's own id, which stays over restarts. */
  readonly id: string;
  /** The same hub, for a terminal that was confirmed: its id there and its own key. */
  as(terminal: Omit<DeviceCredential, "hub">): HubClient;
}

/** Connects to the hub of this machine, after it has shown that it is the one. */
export async function localHub(named: string | undefined): Promise<LocalHub> {
  const folder = dataFolder(named);
  const found = findHub(folder);
  if (!found) throw noHub(folder);
  try {
    await verifyHubIdentity(found);
  } catch (failure) {
    if (!HubError.is(failure, "unreachable")) throw failure;
    throw noHub(folder);
  }
  const place = new HubPlace(folder, found);
  const url = () => place.url;
  const ownKey = await importDeviceKey(readKey(folder));
  const holding = (key: Omit<DeviceCredential, "hub">) =>
    connect({ url, credentials: { get: () => place.look(key) } });
  const hub = holding(ownKey);
  const as = holding;
  new KeptHeads().keep(found.hub, (await hub.hub()).auditHead);
  return Object.assign(hub, { id: found.hub, as });
}

/** Where the hub is: it may come back at another port, and has the key by which it was first known. */
class HubPlace {
  readonly #folder: string;
  readonly #first: HubDescriptor;
  url: string;

  constructor(folder: string, found: HubDescriptor) {
    this.#folder = folder;
    this.#first = found;
    this.url = found.url;
  }

  /** Looked up before each call. Whoever listens there has to prove that it holds the key. */
  look(key: Omit<DeviceCredential, "hub">): DeviceCredential {
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
export async function commandLine(folder: string, found: HubDescriptor): Promise<DeviceCredential> {
  return { ...(await importDeviceKey(readKey(folder))), hub: { id: found.hub, key: found.key } };
}

/** The command line's own key, which the hub has left for programs of the same user. */
function readKey(folder: string): string {
  const path = join(folder, COMMAND_LINE_KEY);
  const text = readPrivateFile(path);
  if (text !== undefined) return text;
  throw new Failure(
    exitCode.refused,
    `${path} is missing: it lets the command line speak to the hub. Restart the hub with \`signalbox serve\`.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
