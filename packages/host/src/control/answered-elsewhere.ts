import { type Decoded, parseObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";

/**
 * Where another program is the agent's host, that one, or somebody else who sees what we see, may answer
 * what the agent asked. Nobody says so; but when the tool has a result, or the turn is over, the agent waits
 * no longer, and that is taken for the withdrawal of what it had asked.
 */
export class AnsweredElsewhere {
  /** What the agent asked and we have not answered, by request. `call`: of which tool's use. */
  readonly #open = new Map<string, { readonly call: unknown; readonly ofSubagent: boolean }>();

  /** A line of the agent's; gives back the requests that it amounts to a withdrawal of. */
  onAgentLine(line: Decoded): string[] {
    if (line.kind !== "known") return [];
    const { message } = line;
    switch (message.type) {
      case "control_request": {
        const { tool_use_id: call, agent_id } = message.request as Record<string, unknown>;
        const ofSubagent = typeof agent_id === "string";
        if (message.request_id !== undefined)
          this.#open.set(message.request_id, { call, ofSubagent });
        return [];
      }
      case "control_cancel_request":
        this.#open.delete(message.request_id);
        return [];
      case "user": {
        const results = new Set(resultsIn(message.message));
        return this.#withdraw(({ call }) => results.has(call));
      }
      case "result":
        return this.#withdraw(({ ofSubagent }) => !ofSubagent); // those may work on in the background
      default:
        return [];
    }
  }

  /** A line of ours. */
  onHostLine(line: string): void {
    const body = parseObject(line);
    const response = typeof body === "string" ? undefined : body["response"];
    if (isObject(response)) this.#open.delete(String(response["request_id"]));
  }

  #withdraw(isOver: (ask: { call: unknown; ofSubagent: boolean }) => boolean): string[] {
    const over = [...this.#open].flatMap(([id, ask]) => (isOver(ask) ? [id] : []));
    for (const id of over) this.#open.delete(id);
    return over;
  }
}

function resultsIn(message: unknown): unknown[] {
  const content = isObject(message) ? message["content"] : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isObject(block) && block["type"] === "tool_result" ? [block["tool_use_id"]] : [],
  );
}
