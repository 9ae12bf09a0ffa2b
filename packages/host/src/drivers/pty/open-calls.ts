import { isObject, type JsonObject } from "@signalbox/protocol/wire";

/** The end of a call, as its result tells. */
interface CallEnd {
  readonly callId: string;
  readonly isRefused: boolean;
}

/** Tool calls that have no result yet, read off the lines of a transcript. */
export class OpenCalls {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: string }>();

  /** Reads a message, and returns the calls that it ends. */
  onMessage(message: JsonObject): CallEnd[] {
    const ends: CallEnd[] = [];
    for (const block of readBlocks(message)) {
      const { type, id, name, input, tool_use_id: callId } = block;
      if (type === "tool_use" && typeof id === "string") {
        this.#calls.set(id, { tool: String(name), input: toKey(input) });
      }
      if (type !== "tool_result" || typeof callId !== "string") continue;
      if (this.#calls.delete(callId)) ends.push({ callId, isRefused: isRefusal(message, block) });
    }
    return ends;
  }

  /** The call with this tool and input that is none of those. */
  find(tool: string, input: unknown, taken: ReadonlySet<string | undefined>): string | undefined {
    const key = toKey(input);
    for (const [id, call] of this.#calls) {
      if (call.tool === tool && call.input === key && !taken.has(id)) return id;
    }
    return undefined;
  }
}

function readBlocks({ message }: JsonObject): JsonObject[] {
  const content = isObject(message) ? message["content"] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Whether a person refused the call, or stopped it at its request. */
function isRefusal(message: JsonObject, result: JsonObject): boolean {
  if (result["is_error"] !== true) return false;
  const meta = Array.isArray(message["tool_result_meta"]) ? message["tool_result_meta"] : [];
  if (meta.filter(isObject).some((about) => about["non_execution_kind"] !== undefined)) return true;
  return /doesn't want to (?:proceed|take this action)|was rejected|interrupted/i.test(
    JSON.stringify(result["content"] ?? ""),
  );
}

/** The same for equal values, whatever the order of their fields. */
function toKey(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
