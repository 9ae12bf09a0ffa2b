import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { ReadStream } from "node:tty";
import {
  answerLine,
  isObject,
  type JsonObject,
  lineText,
  parseObject,
  promptLine,
  refusalLine,
  requestLine,
  type Transport,
} from "@signalbox/protocol/wire";
import { askForServer } from "./questions-of-servers.ts";
import { oneLine, safe, shown } from "./screen.ts";
import { LINE_END_MARK, MARK_NO_PASTES, MARK_PASTES, TypedKeys } from "./typed-keys.ts";

/** The host's end of a conversation on a terminal: prompts are typed, asks are answered there. */
export async function talkOnTerminal(
  agent: Transport,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  if (!(input instanceof ReadStream)) return new Terminal(agent, input, output).run();
  output.write(MARK_PASTES);
  try {
    await new Terminal(agent, new TypedKeys(input), output).run();
  } finally {
    output.write(MARK_NO_PASTES);
    input.unref();
  }
}

class Terminal {
  readonly #agent: Transport;
  readonly #output: Writable;
  readonly #lines: Interface;
  #isBusy = false;
  /** Ctrl-C was pressed where nothing ran: once more leaves. */
  #isLeaving = false;
  #answer: ((text: string | undefined) => void) | undefined;
  #asks: Promise<void> = Promise.resolve();
  /** The request that is being asked about, and those that nobody wants to know any more. */
  #asked: unknown;
  readonly #withdrawn = new Set<unknown>();

  constructor(agent: Transport, input: Readable, output: Writable) {
    this.#agent = agent;
    this.#output = output;
    this.#lines = createInterface({ input, output, prompt: "> " });
  }

  async run(): Promise<void> {
    this.#lines.on("line", (text) => this.#onLine(text));
    this.#lines.on("SIGINT", () => this.#onInterrupt());
    this.#lines.on("close", () => {
      this.#answer?.(undefined);
      void this.#agent.close();
    });
    this.#lines.prompt();
    for await (const batch of this.#agent.incoming) {
      for (const line of batch) this.#onAgent(lineText(line));
    }
    this.#lines.close();
  }

  #say(text: string): void {
    this.#output.write(`${text}\n`);
  }

  #onLine(typed: string): void {
    this.#isLeaving = false;
    const text = typed.replaceAll(LINE_END_MARK, "\n");
    const answer = this.#answer;
    if (answer) {
      this.#answer = undefined;
      return answer(text);
    }
    if (text.trim() === "") return this.#lines.prompt();
    if (text.trim() === "/exit") return this.#lines.close();
    this.#isBusy = true;
    void this.#agent.send(promptLine({ content: text, uuid: crypto.randomUUID() }));
  }

  /** Stops the turn; where nothing runs, takes back what was typed, and leaves when pressed twice. */
  #onInterrupt(): void {
    if (!this.#isBusy) return this.#onLeave();
    this.#answer?.(undefined);
    this.#answer = undefined;
    void this.#agent.send(requestLine(crypto.randomUUID(), { subtype: "interrupt" }));
  }

  #onLeave(): void {
    if (this.#lines.line !== "") {
      this.#lines.write(null, { ctrl: true, name: "e" });
      this.#lines.write(null, { ctrl: true, name: "u" });
      return;
    }
    if (this.#isLeaving) return this.#lines.close();
    this.#isLeaving = true;
    this.#say("\n(Ctrl-C once more leaves)");
    this.#lines.prompt();
  }

  #onAgent(text: string): void {
    const line = parseObject(text);
    if (typeof line === "string") return;
    if (line["type"] === "control_request") {
      this.#asks = this.#asks.then(() => this.#onAsk(line)); // one after the other
      return;
    }
    if (line["type"] === "control_cancel_request") return this.#onWithdrawn(line["request_id"]);
    const words = shown(line);
    if (words !== undefined) this.#say(words);
    if (line["type"] !== "result") return;
    this.#isBusy = false;
    this.#lines.prompt();
  }

  async #onAsk({ request_id: id, request }: JsonObject): Promise<void> {
    const requestId = String(id);
    if (this.#withdrawn.delete(id)) return;
    this.#asked = id;
    const answer = isObject(request) ? await this.#answerTo(request) : undefined;
    this.#asked = undefined;
    const line = answer
      ? answerLine(requestId, answer)
      : refusalLine(requestId, "Not on a terminal.");
    await this.#agent.send(line).catch(() => {});
  }

  #onWithdrawn(id: unknown): void {
    if (id !== this.#asked) return void this.#withdrawn.add(id);
    this.#answer?.(undefined);
    this.#answer = undefined;
  }

  async #answerTo(request: JsonObject): Promise<object | undefined> {
    if (request["subtype"] === "elicitation") {
      return askForServer(request, (text) => this.#ask(text));
    }
    if (request["subtype"] !== "can_use_tool") return undefined;
    const input = isObject(request["input"]) ? request["input"] : {};
    return request["tool_name"] === "AskUserQuestion"
      ? this.#questions(input)
      : this.#permission(String(request["tool_name"]), input);
  }

  async #permission(tool: string, input: JsonObject): Promise<object> {
    const what = safe(JSON.stringify(input, undefined, 2));
    const said = await this.#ask(`▲ ${safe(tool)} asks for permission:\n${what}\nAllow? [y/N] `);
    if (said !== undefined && /^y(?:es)?$/i.test(said.trim())) {
      return { behavior: "allow", updatedInput: input };
    }
    return { behavior: "deny", message: "The person at the terminal said no." };
  }

  async #questions(input: JsonObject): Promise<object> {
    const answers: Record<string, string> = {};
    for (const one of Array.isArray(input["questions"]) ? input["questions"] : []) {
      if (!isObject(one)) continue;
      const labels = (Array.isArray(one["options"]) ? one["options"] : []).map((option) =>
        isObject(option) ? String(option["label"]) : "",
      );
      const list = labels.map((label, at) => `  ${at + 1} ${oneLine(label)}`).join("\n");
      const question = String(one["question"]);
      const said = await this.#ask(`▲ ${oneLine(question)}\n${list}\nNumber, or your words: `);
      if (said === undefined)
        return { behavior: "deny", message: "The question was not answered." };
      answers[question] = labels[Number(said) - 1] ?? said;
    }
    return { behavior: "allow", updatedInput: { ...input, answers } };
  }

  /** One line from the person; undefined: they left or interrupted. */
  #ask(text: string): Promise<string | undefined> {
    this.#output.write(text);
    return new Promise((resolve) => (this.#answer = resolve));
  }
}
