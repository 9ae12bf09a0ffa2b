import { LineSplitter, lineText, parseObject } from "@signalbox/protocol/wire";
import type { TranscriptCursor, TranscriptSource } from "@signalbox/protocol/transcript";

const CHUNK = 512 * 1024;

/**
 * Finds where the part of a transcript ends that the hub has from a run of its own: after the last
 * entry that it knows. Subagents that were called before belong to that part, too. Returns undefined
 * if no entry is known.
 */
export async function findLastKnown(
  source: TranscriptSource,
  uuids: ReadonlySet<string>,
): Promise<TranscriptCursor | undefined> {
  const splitter = new LineSplitter();
  const agents = new Set<string>();
  let knownAgents: string[] = [];
  let cursor: { identity: string; offset: number } | undefined;
  for (let read = 0; ;) {
    const part = await source.read(null, read, CHUNK);
    if (!part || part.bytes.length === 0) break;
    const { bytes, identity } = part;
    for (let from = 0; from < bytes.length;) {
      const found = bytes.indexOf(0x0a, from);
      const end = found === -1 ? bytes.length : found + 1;
      const lines = splitter.push(bytes.subarray(from, end));
      read += end - from;
      from = end;
      for (const line of lines) {
        const { uuid, agentId } = readIds(lineText(line));
        if (agentId !== undefined) agents.add(agentId);
        if (uuid === undefined || !uuids.has(uuid)) continue;
        cursor = { identity, offset: read };
        knownAgents = [...agents];
      }
    }
  }
  if (!cursor) return undefined;
  const files = await source.listSubagents();
  const subagents = Object.fromEntries(
    files.flatMap(({ agentId, size }) => (knownAgents.includes(agentId) ? [[agentId, size]] : [])),
  );
  return { ...cursor, subagents, isTurnOver: true };
}

function readIds(text: string): { uuid?: string; agentId?: string } {
  const entry = parseObject(text);
  if (typeof entry === "string") return {};
  const { uuid, toolUseResult } = entry;
  const agentId = (toolUseResult as { agentId?: unknown } | null | undefined)?.agentId;
  return {
    ...(typeof uuid === "string" && { uuid }),
    ...(typeof agentId === "string" && { agentId }),
  };
}
