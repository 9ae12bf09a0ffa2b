import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";
import type { AgentOptions } from "../command-line/options.ts";
import { isUuid } from "../command-line/parse-options.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { CLAUDE_CODE_VERSION } from "../version.ts";
import { findInterruptedTurn, cutOff } from "./interrupted-turn.ts";
import { FileCheckpoints } from "./checkpoints.ts";
import { fetchFromHub, fetchTranscript } from "./fetch.ts";
import { findSession, findTitled, findNewestSession } from "./find.ts";
import { gitBranch } from "./git-branch.ts";
import { configFolder, getProjectFolder } from "./place.ts";
import { cutAfter, readTranscript } from "./read-transcript.ts";
import { TranscriptFile } from "./transcript-file.ts";

export interface Session {
  readonly id: string;
  readonly isResumed: boolean;
  readonly conversation: readonly StoredMessage[];
  /** The uuids of prompts that were run already and are not run again. */
  readonly prompts: ReadonlySet<string>;
  readonly transcript: TranscriptFile;
  readonly checkpoints: FileCheckpoints;
  readonly title: string | undefined;
  /** The kind of agent that runs the session; undefined for this one. */
  readonly agent: string | undefined;
  /** The cost of the session so far. */
  readonly costs: JsonObject | undefined;
  storeCosts(costs: JsonObject): void;
  rename(title: string): void;
  /** Replaces the session with a new, empty one. It takes over the title unless it gets another. */
  successor(titleOfOld?: string): Session;
}

interface SessionPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly entrypoint: string;
}

/**
 * Thrown when the requested session cannot be opened. The message says why, in Claude Code's
 * wording.
 */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly sessionId: string;
  constructor(message: string, sessionId: string = crypto.randomUUID()) {
    super(message);
    this.sessionId = sessionId;
  }
}

interface Source {
  readonly id: string;
  readonly text: string;
  /** A resumed session continues in the same file; otherwise its messages are copied. */
  readonly isOurs: boolean;
  /** The path of its file, which may be in the folder of another project. */
  readonly path?: string;
  /**
   * A session with this id exists on this machine. It belongs to somebody else and stays as it is.
   */
  readonly isHere?: boolean;
}

export async function openSession(options: AgentOptions, place: SessionPlace): Promise<Session> {
  const source = await getSource(options, place);
  refuseTakenId(options, place, source);
  if (!source) return build(options.sessionId ?? crypto.randomUUID(), options, place);
  const {
    conversation: all,
    snapshots,
    prompts,
    leaf,
    sessionId,
    agent,
    title,
    costs,
  } = readTranscript(source.text);
  if (source.isOurs && options.resume !== undefined && all.length === 0) throw notFound(source.id);
  const cut = options.resumeSessionAt;
  const visibleMessages = cut === undefined ? all : cutAfter(all, cut);
  if (!visibleMessages) {
    throw new SessionError(`No message found with message.uuid of: ${cut}`, source.id);
  }
  const lacking = cut === undefined ? findInterruptedTurn(visibleMessages) : [];
  // The missing results are written to the file, so that later readers find them.
  const conversation = [
    ...visibleMessages,
    ...(cut === undefined ? lacking : cutOff(visibleMessages)),
  ];
  const isItself = options.sessionId === source.id;
  const staysHere = source.isOurs && (!options.forkSession || isItself);
  const id = staysHere ? source.id : (options.sessionId ?? newIdFor(source, options));
  const last = cut === undefined ? leaf : visibleMessages.at(-1)?.uuid;
  const session = build(id, options, place, {
    conversation,
    prompts,
    isResumed: true,
    ...(agent !== undefined && { agent }),
    ...(title !== undefined && { title }),
    ...(costs && { costs }),
    ...(staysHere && source.path !== undefined && { path: source.path }),
    ...(staysHere && last !== undefined && { last, lacking, isNewBranch: last !== leaf }),
  });
  session.checkpoints.restore(snapshots);
  if (!staysHere) {
    for (const message of conversation) copyInto(session.transcript, message, source.id);
    if (session.title !== undefined) session.rename(session.title);
    await session.checkpoints.adopt(historyFolder(place, sessionId ?? source.id));
  }
  return session;
}

/**
 * Refuses an id that is in use. With two conversations in one file, the next `--continue` would
 * find only one of them.
 */
function refuseTakenId({ sessionId }: AgentOptions, place: SessionPlace, source?: Source): void {
  if (sessionId === undefined || (sessionId === source?.id && !source.isHere)) return;
  if (!existsSync(transcriptPath(place, sessionId))) return;
  throw new UsageError(`Error: Session ID ${sessionId} is already in use.`);
}

function transcriptPath({ environment, folder }: SessionPlace, id: string): string {
  return join(getProjectFolder(environment, folder), `${id}.jsonl`);
}

/**
 * Chooses the id of a continued session. A fetched session keeps its id unless the id is in use. A
 * file starts a new session.
 */
function newIdFor({ id, isHere }: Source, options: AgentOptions): string {
  const keepsId = options.teleport !== undefined && !options.forkSession && !isHere;
  return keepsId ? id : crypto.randomUUID();
}

function copyInto(transcript: TranscriptFile, message: StoredMessage, from: string): void {
  const { sessionId: _, parentUuid: __, ...rest } = message;
  const uuid = message.uuid ?? crypto.randomUUID();
  transcript.add({ ...rest, uuid, forkedFrom: { sessionId: from, messageUuid: uuid } });
}

async function getSource(options: AgentOptions, place: SessionPlace): Promise<Source | undefined> {
  const { environment, folder } = place;
  if (options.teleport !== undefined) {
    const fetched = await fetchFromHub(options.teleport, environment);
    return { ...fetched, isOurs: false, isHere: (await getPath(fetched.id, place)) !== undefined };
  }
  const { resume } = options;
  if (options.continue && resume === undefined) {
    const newest = await findNewestSession(getProjectFolder(environment, folder));
    if (!newest) return undefined; // Without a session this is the first one.
    return openOwnFile(newest.id, newest.path);
  }
  if (resume === undefined) return undefined;
  if (isUuid(resume)) return byId(resume, place);
  if (URL.canParse(resume)) {
    const id = crypto.randomUUID();
    if (!/^(?:https?|wss?):/i.test(resume)) throw notFound(id);
    const text = await fetchTranscript(resume, environment);
    if (isEmpty(text)) throw new SessionError(`No conversation found at ${getAddress(resume)}`, id);
    return { id, text, isOurs: false };
  }
  if (resume.endsWith(".jsonl")) {
    const id = crypto.randomUUID();
    const text = await readFile(resume, "utf8").catch(() => "");
    if (isEmpty(text)) throw notFound(id);
    return { id, text, isOurs: false };
  }
  const titled = await findTitled(getProjectFolder(environment, folder), resume);
  if (titled) return openOwnFile(titled.id, titled.path);
  throw new SessionError(
    `Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>. Provided value "${resume}" is not a UUID and does not match any session title.`,
  );
}

function getPath(id: string, { environment, folder }: SessionPlace): Promise<string | undefined> {
  const here = getProjectFolder(environment, folder);
  return findSession(join(configFolder(environment), "projects"), id, [here]);
}

async function byId(id: string, place: SessionPlace): Promise<Source> {
  const path = await getPath(id, place);
  if (path === undefined) throw notFound(id);
  return openOwnFile(id, path);
}

async function openOwnFile(id: string, path: string): Promise<Source> {
  return { id, path, text: await readFile(path, "utf8"), isOurs: true };
}

/**
 * Whether there is no conversation. Starting anew from such a source would hide that none was
 * found.
 */
const isEmpty = (text: string): boolean => readTranscript(text).conversation.length === 0;

/** Returns the address without its secret parts. */
function getAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function notFound(id: string): SessionError {
  return new SessionError(`No conversation found with session ID: ${id}`, id);
}

function historyFolder({ environment }: SessionPlace, id: string): string {
  return join(configFolder(environment), "file-history", id);
}

interface EarlierConversation {
  readonly path?: string;
  readonly conversation: readonly StoredMessage[];
  readonly prompts: ReadonlySet<string>;
  readonly isResumed: boolean;
  readonly last?: string;
  /** The messages that are missing from the file. */
  readonly lacking?: readonly StoredMessage[];
  readonly isNewBranch?: boolean;
  readonly agent?: string;
  readonly title?: string;
  readonly costs?: JsonObject;
}

function build(
  id: string,
  options: AgentOptions,
  place: SessionPlace,
  past: EarlierConversation = { conversation: [], prompts: new Set(), isResumed: false },
): Session {
  const { environment, folder, entrypoint } = place;
  const path = past.path ?? transcriptPath(place, id);
  const context = {
    sessionId: id,
    cwd: folder,
    version: CLAUDE_CODE_VERSION,
    entrypoint,
    gitBranch: gitBranch(folder),
  };
  const { conversation, prompts, isResumed, last, lacking = [], isNewBranch = false } = past;
  const transcript = new TranscriptFile(path, context, {
    keep: options.sessionPersistence,
    isNewBranch,
    lacking,
    ...(last !== undefined && { last }),
  });
  const checkpoints = new FileCheckpoints({
    folder,
    store: historyFolder(place, id),
    isEnabled: checkpointsAreWanted(options, environment),
    record: (line) => transcript.write(line),
  });
  let title = options.name ?? past.title;
  const setTitle = (customTitle: string) => {
    title = customTitle;
    transcript.write({ type: "custom-title", customTitle, sessionId: id });
  };
  if (options.name !== undefined) setTitle(options.name);
  const agent = options.agent ?? past.agent;
  if (agent !== undefined) {
    transcript.write({ type: "agent-setting", agentSetting: agent, sessionId: id });
  }
  return {
    id,
    isResumed,
    conversation,
    prompts,
    transcript,
    checkpoints,
    agent,
    costs: past.costs,
    storeCosts: (costs) => transcript.write({ type: "cost-state", sessionId: id, ...costs }),
    get title() {
      return title;
    },
    rename: setTitle,
    successor: (titleOfOld) => {
      const { name: _, ...rest } = options;
      const name = titleOfOld === undefined ? title : undefined;
      if (titleOfOld !== undefined) setTitle(titleOfOld);
      transcript.close();
      const next = {
        ...rest,
        ...(name !== undefined && { name }),
        ...(agent !== undefined && { agent }),
      };
      return build(crypto.randomUUID(), next, place);
    },
  };
}

/**
 * Whether to store checkpoints: always on a terminal; for a host if it requests them with this
 * variable, as the official SDK does.
 */
function checkpointsAreWanted(
  options: AgentOptions,
  environment: SessionPlace["environment"],
): boolean {
  if (environment["CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING"]) return false;
  return !options.print || Boolean(environment["CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"]);
}
