import { isObject, type JsonObject } from "@signalbox/protocol/wire";

interface TypedPrompt {
  readonly uuid: string;
  readonly key: string;
  /** Whether a person has typed since, so that what comes next may be theirs. */
  isUncertain: boolean;
}

/**
 * The messages that we have typed and that are not in the transcript yet. The program gives a message
 * a uuid of its own; which of ours it is, is added to its line.
 */
export class TypedPrompts {
  #waiting: TypedPrompt[] = [];

  add(uuid: string, text: string): void {
    this.#waiting.push({ uuid, key: toKey(text), isUncertain: false });
  }

  /** A person has typed into the terminal. */
  onTyped(): void {
    for (const prompt of this.#waiting) prompt.isUncertain = true;
  }

  /** The line as it was, or with the uuid of the message of ours that it is. */
  recognize(line: JsonObject): JsonObject {
    if (line["type"] !== "user" || line["isReplay"] !== true) return line;
    if (line["parent_tool_use_id"] !== null) return line;
    const key = toKey(readText(line));
    const [oldest] = this.#waiting;
    const same = this.#waiting.find((prompt) => prompt.key === key);
    const found = same ?? (oldest?.isUncertain === false ? oldest : undefined);
    if (!found) return line;
    this.#waiting = this.#waiting.filter((prompt) => prompt !== found);
    return { ...line, typed_prompt: found.uuid };
  }
}

/** A text without its spaces, which the program changes. */
function toKey(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function readText({ message }: JsonObject): string {
  const content = isObject(message) ? message["content"] : undefined;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}
