import { join } from "node:path";
import { checkIdentity, connect, type HubClient, HubError } from "@signalbox/client";
import { readPrivateFile } from "@signalbox/hub/private-file";
import { HUB_DESCRIPTOR, type HubDescriptor, hubDescriptor } from "@signalbox/protocol";
import { exitCode } from "../exit-code.ts";
import { Failure } from "../failure.ts";
import { visible } from "../terminal/visible.ts";
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
      ? `No hub runs here. Start one with \`signalbox serve\`. Looked in ${visible(folder)}; --data or SIGNALBOX_DATA names another data folder.`
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
    `SIGNALBOX_URL names the hub at ${url}, but ${visible(folder)} holds no credential for it: there is no ${HUB_DESCRIPTOR}, which a hub writes while it runs. Name that hub's data folder with --data or SIGNALBOX_DATA.`,
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
  /** The same hub, for another credential. */
  as(token: string): HubClient;
}

/** Connects to the hub of this machine, after it has shown that it is the one. */
export async function localHub(named: string | undefined): Promise<LocalHub> {
  const folder = dataFolder(named);
  const found = findHub(folder);
  if (!found) throw noHub(folder);
  try {
    await checkIdentity(found);
  } catch (failure) {
    if (!HubError.is(failure, "unreachable")) throw failure;
    throw noHub(folder);
  }
  let last = found;
  const url = () => last.url;
  const proven = async () => (last = await provenAgain(folder, last));
  const hub = connect({ url, credentials: { get: async () => (await proven()).token } });
  const as = (token: string) =>
    connect({ url, credentials: { get: async () => ((await proven()) ? token : "") } });
  new KeptHeads().keep(found.hub, (await hub.hub()).auditHead);
  return Object.assign(hub, { id: found.hub, as });
}

/**
 * Where the hub is now and its token, after whoever listens there has shown again that it is the hub:
 * while a hub is away, somebody else may take its place. Each start of the hub makes another token, and
 * may be at another port.
 */
async function provenAgain(folder: string, last: HubDescriptor): Promise<HubDescriptor> {
  const found = findHub(folder);
  if (!found) {
    const detail = `The hub at ${last.url} does not run any more.`;
    throw new HubError({ code: "unreachable", status: 0, detail });
  }
  await checkIdentity({ ...found, hub: last.hub });
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
