import { type Decoded, parseObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";

/**
 * Detects requests that somebody else has answered. Where another program is the agent's host, that
 * program or another viewer may answer a request of the agent without a message about it. When the
 * tool has a result, or the turn is over, the agent no longer waits; the request is then treated as
 * withdrawn.
 */
export class AnsweredElsewhere {
  /** The agent's open requests by id. `call` is the tool call that a request is about. */
  readonly #open = new Map<string, { readonly call: unknown; readonly ofSubagent: boolean }>();

  /** Handles a line of the agent. Returns the requests that the line shows to be over. */
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
        // subagents may continue in the background
        return this.#withdraw(({ ofSubagent }) => !ofSubagent);
      default:
        return [];
    }
  }

  /** Handles a line that we send. */
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
