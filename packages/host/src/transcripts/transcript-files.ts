import { constants } from "node:fs";
import { type FileHandle, open, readdir, readlink, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FilePart, SubagentFile, TranscriptSource } from "@signalbox/protocol/transcript";
import { isObject } from "@signalbox/protocol/wire";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const SUBAGENT = /^agent-([\w-]{1,64})\.jsonl$/;
const PROJECT = /^[\w.-]{1,255}$/;
const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const META_SIZE = 64 * 1024;

/** Where a session's transcript is. */
export interface TranscriptPlace {
  /** A folder of Claude Code's configuration, such as `~/.claude`. */
  readonly configFolder: string;
  /** The name of a folder in its `projects`. */
  readonly project: string;
  readonly sessionId: string;
}

/** Whether these names can belong to a transcript, and to nothing outside of its folder. */
export function isTranscriptName({ project, sessionId }: Omit<TranscriptPlace, "configFolder">) {
  return PROJECT.test(project) && project !== "." && project !== ".." && SESSION.test(sessionId);
}

/** The name of the folder in which Claude Code keeps the transcripts of a folder. */
export function getProjectName(folder: string): string {
  return folder.replaceAll(/[^a-zA-Z0-9]/g, "-");
}

/**
 * The files of one session. Only regular files below `projects` of the folder of the configuration
 * are read: links are not followed, and where a file really is is checked after it is open.
 */
export class TranscriptFiles implements TranscriptSource {
  readonly #place: TranscriptPlace;

  constructor(place: TranscriptPlace) {
    if (!isTranscriptName(place)) throw new Error("These are not the names of a transcript.");
    this.#place = place;
  }

  async read(
    agentId: string | null,
    offset: number,
    maxBytes: number,
  ): Promise<FilePart | undefined> {
    const { sessionId } = this.#place;
    if (agentId !== null && !SUBAGENT.test(`agent-${agentId}.jsonl`)) return undefined;
    const names =
      agentId === null
        ? [`${sessionId}.jsonl`]
        : // Versions before 2.1 kept them beside the session's own file.
          [join(sessionId, "subagents", `agent-${agentId}.jsonl`), `agent-${agentId}.jsonl`];
    for (const name of names) {
      const file = await this.#open(name);
      if (!file) continue;
      try {
        return await readPart(file, offset, maxBytes);
      } finally {
        await file.close();
      }
    }
    return undefined;
  }

  async listSubagents(): Promise<SubagentFile[]> {
    const { configFolder, project, sessionId } = this.#place;
    const inside = join(sessionId, "subagents");
    const folder = join(configFolder, "projects", project, inside);
    const names = await readdir(folder).catch(() => []);
    const files: SubagentFile[] = [];
    for (const name of names) {
      const agentId = SUBAGENT.exec(name)?.[1];
      const file = agentId === undefined ? undefined : await this.#open(join(inside, name));
      if (agentId === undefined || !file) continue;
      const size = await readSize(file);
      const callId = await this.#readCallId(join(inside, `agent-${agentId}.meta.json`));
      files.push({ agentId, size, ...(callId !== undefined && { callId }) });
    }
    return files;
  }

  /** 2.1.325 records which call has started a subagent. */
  async #readCallId(name: string): Promise<string | undefined> {
    const file = await this.#open(name);
    if (!file) return undefined;
    try {
      const { bytes } = await readPart(file, 0, META_SIZE);
      const meta: unknown = JSON.parse(new TextDecoder().decode(bytes));
      const callId = isObject(meta) ? meta["toolUseId"] : undefined;
      return typeof callId === "string" ? callId : undefined;
    } catch {
      return undefined;
    } finally {
      await file.close();
    }
  }

  async #open(name: string): Promise<FileHandle | undefined> {
    const { configFolder, project } = this.#place;
    return openTranscript(configFolder, join(project, name));
  }
}

/**
 * Opens a file below `projects` of a folder of the configuration for reading. Returns undefined if
 * there is none, or it is a link, or it is really elsewhere, or it is no regular file. Throws if it
 * must not be read.
 */
export async function openTranscript(
  configFolder: string,
  name: string,
): Promise<FileHandle | undefined> {
  const root = await realpath(join(configFolder, "projects")).catch(() => undefined);
  if (root === undefined) return undefined;
  const named = join(root, name);
  let file: FileHandle;
  try {
    file = await open(named, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM" || code === "EIO") throw failure;
    return undefined;
  }
  try {
    const real = await readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(named));
    if (real.startsWith(root + sep) && (await file.stat()).isFile()) return file;
  } catch {
    // It is gone meanwhile.
  }
  await file.close();
  return undefined;
}

async function readSize(file: FileHandle): Promise<number> {
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, offset: number, maxBytes: number): Promise<FilePart> {
  const { size, dev, ino } = await file.stat();
  const length = Math.max(0, Math.min(maxBytes, size - offset));
  const buffer = new Uint8Array(length);
  const { bytesRead } =
    length === 0 ? { bytesRead: 0 } : await file.read(buffer, 0, length, offset);
  return { bytes: buffer.subarray(0, bytesRead), size, identity: `${dev}:${ino}` };
}
