import { isObject, type JsonObject, requestLine } from "@signalbox/protocol/wire";
import { toSingleLine } from "./screen-text.ts";

/** Commands of the terminal itself, beside those that the agent lists. */
const own = ["exit", "help", "permissions", "quit", "resume", "status"];

/** The commands that may be typed after a slash. */
export class Commands {
  readonly #id = crypto.randomUUID();
  /** Undefined until the agent has listed its commands. */
  #names: readonly string[] | undefined;

  /** Creates the request for the list of the agent's commands. */
  request(): string {
    return requestLine(this.#id, { subtype: "initialize" });
  }

  /** Stores the list if this is the agent's answer to the request. */
  take({ response }: JsonObject): void {
    if (!isObject(response) || response["request_id"] !== this.#id) return;
    const { response: body } = response;
    const commands = isObject(body) ? body["commands"] : undefined;
    if (!Array.isArray(commands)) return;
    this.#names = [...own, ...commands.filter(isObject).map(({ name }) => String(name))].toSorted();
  }

  complete(line: string): [string[], string] {
    const fitting = (this.#names ?? [])
      .map((name) => `/${name}`)
      .filter((one) => one.startsWith(line));
    return [line.startsWith("/") ? fitting : [], line];
  }

  /**
   * Returns the terminal's own answer to what was typed, so that a typing error is not sent to the
   * agent.
   */
  answer(typedText: string): string | undefined {
    const name = /^\/([\w:-]+)(?:\s|$)/.exec(typedText)?.[1];
    if (name === "resume") {
      return "Leave with /exit, and start with --resume: it lists the conversations of this folder.";
    }
    if (name === undefined || !this.#names || this.#names.includes(name)) return undefined;
    const near = this.#names.filter((one) => one.startsWith(name.slice(0, 2)));
    const perhaps = near.length > 0 ? ` Perhaps /${near.slice(0, 3).join(", /")}?` : "";
    return `There is no command /${toSingleLine(name)}.${perhaps} /help lists all of them.`;
  }
}
