import type { Readable } from "node:stream";
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
import { Commands } from "./commands.ts";
import { Page } from "./page.ts";
import { askPrompt, askText, readDecision } from "./permission-ask.ts";
import { readAnswer, questionPrompt, readQuestions } from "./question-ask.ts";
import { askForServer } from "./server-questions.ts";
import { makeSafe } from "./screen-text.ts";
import { renderMessage, getTexts } from "./screen.ts";
import { TextFlow } from "./text-flow.ts";
import { LINE_END_MARK, MARK_NO_PASTES, MARK_PASTES, TypedKeys } from "./typed-keys.ts";
import type { Streams } from "./ask-line.ts";

/**
 * Runs the host's end of a conversation on a terminal, where prompts are typed and asks are
 * answered.
 */
export async function runTerminal(
  agent: Transport,
  { input, output }: Streams,
  greeting: readonly string[] = [],
): Promise<void> {
  const talk = (keys: Readable) => new Terminal(agent, { input: keys, output }).run(greeting);
  if (!(input instanceof ReadStream)) return talk(input);
  output.write(MARK_PASTES);
  try {
    await talk(new TypedKeys(input));
  } finally {
    output.write(MARK_NO_PASTES);
    input.unref();
  }
}

class Terminal {
  readonly #agent: Transport;
  readonly #page: Page;
  readonly #flow: TextFlow;
  readonly #commands = new Commands();
  /** Prompts that were typed and are not completed yet. */
  readonly #open = new Set<string>();
  readonly #quiet = new Set<unknown>();
  #session: unknown;
  #isInTurn = false;
  /** Ctrl-C was pressed while nothing ran. Pressing it again exits. */
  #isLeaving = false;
  #answer: ((text: string | undefined) => void) | undefined;
  /** Settles when the last ask is answered. Asks are answered one after the other. */
  #asking = Promise.resolve();
  #asked: string | undefined;
  readonly #withdrawn = new Set<string>();

  constructor(agent: Transport, streams: Streams) {
    this.#agent = agent;
    this.#page = new Page(streams, (line) => this.#commands.complete(line));
    this.#flow = new TextFlow(
      () => this.#page.columns,
      (line) => this.#page.say(makeSafe(line)),
    );
  }

  async run(greeting: readonly string[]): Promise<void> {
    const { lines } = this.#page;
    lines.on("line", (text) => this.#onLine(text));
    lines.on("SIGINT", () => this.#onInterrupt());
    lines.on("close", () => {
      this.#settle(undefined);
      void this.#agent.close();
    });
    for (const text of greeting) this.#page.say(text, "dim");
    this.#page.prompt("> ");
    void this.#agent.send(this.#commands.request());
    for await (const batch of this.#agent.incoming) {
      for (const line of batch) this.#onAgent(lineText(line));
    }
    lines.close();
  }

  get #isBusy(): boolean {
    return this.#isInTurn || this.#open.size > 0;
  }

  #onLine(typed: string): void {
    this.#isLeaving = false;
    const text = typed.replaceAll(LINE_END_MARK, "\n");
    if (this.#answer) {
      this.#page.forgetLast();
      return this.#settle(text);
    }
    const reply = text.trim();
    if (/^(?:\/exit|\/quit|exit|quit)$/.test(reply)) return this.#page.lines.close();
    const help = this.#commands.answer(reply);
    if (help !== undefined) this.#page.say(help);
    if (reply !== "" && help === undefined) this.#send(text);
    this.#rest();
  }

  #send(content: string): void {
    const uuid = crypto.randomUUID();
    this.#open.add(uuid);
    void this.#agent.send(promptLine({ content, uuid }));
  }

  /** Shows the usual prompt, which stands before the line when nothing is asked. */
  #rest(): void {
    if (!this.#answer) this.#page.prompt(this.#isBusy ? "… " : "> ");
  }

  /** Stops the turn. If nothing runs, clears what was typed, and exits when pressed twice. */
  #onInterrupt(): void {
    if (!this.#isBusy) return this.#onLeave();
    this.#settle(undefined);
    void this.#agent.send(requestLine(crypto.randomUUID(), { subtype: "interrupt" }));
  }

  #onLeave(): void {
    const { lines } = this.#page;
    if (lines.line !== "") {
      lines.write(null, { ctrl: true, name: "e" });
      lines.write(null, { ctrl: true, name: "u" });
      return;
    }
    if (this.#isLeaving) return lines.close();
    this.#isLeaving = true;
    this.#page.say("(Ctrl-C once more leaves)", "dim");
  }

  #onAgent(text: string): void {
    const line = parseObject(text);
    if (typeof line === "string") return;
    switch (line["type"]) {
      case "control_request":
        this.#asking = this.#asking.then(() => this.#onAsk(line)).catch(() => {});
        return;
      case "control_cancel_request":
        return this.#onWithdrawn(String(line["request_id"]));
      case "control_response":
        return this.#commands.take(line);
      case "stream_event":
        return this.#flow.take(line);
      default:
        this.#onMessage(line);
    }
  }

  #onMessage(line: JsonObject): void {
    const { session_id: session = this.#session } = line;
    if (this.#session !== undefined && this.#session !== session) {
      this.#page.say("… a new conversation begins", "dim");
    }
    this.#session = session;
    const texts = getTexts(line);
    const hasStreamed = (texts.length > 0 || line["type"] === "result") && this.#flow.end();
    if (!hasStreamed) for (const text of texts) this.#page.say(makeSafe(text));
    for (const { text, style } of renderMessage(line, this.#quiet)) this.#page.say(text, style);
    if (line["type"] === "system" && line["subtype"] === "init") this.#isInTurn = true;
    else if (line["type"] === "result") this.#isInTurn = false;
    else if (line["type"] === "command_lifecycle" && isOver.has(line["state"])) {
      this.#open.delete(String(line["command_uuid"]));
    } else return;
    this.#rest();
  }

  #onWithdrawn(id: string): void {
    this.#withdrawn.add(id);
    if (this.#asked !== id) return;
    this.#page.say("(This is no longer asked.)", "dim");
    this.#settle(undefined);
  }

  async #onAsk({ request_id: id, request }: JsonObject): Promise<void> {
    const requestId = String(id);
    if (this.#withdrawn.delete(requestId)) return;
    this.#asked = requestId;
    const answer = isObject(request) ? await this.#answerTo(request) : undefined;
    this.#asked = undefined;
    this.#rest();
    if (this.#withdrawn.delete(requestId)) return;
    const refusal = refusalLine(requestId, "Not on a terminal.");
    await this.#agent.send(answer ? answerLine(requestId, answer) : refusal);
  }

  async #answerTo(request: JsonObject): Promise<object | undefined> {
    if (request["subtype"] === "elicitation") {
      return askForServer(request, (text) => this.#ask(text));
    }
    if (request["subtype"] !== "can_use_tool") return undefined;
    const isQuestion = request["tool_name"] === "AskUserQuestion";
    return isQuestion ? this.#questions(request) : this.#permission(request);
  }

  async #permission(request: JsonObject): Promise<object> {
    this.#page.say(askText(request));
    for (;;) {
      const decision = readDecision(await this.#ask(askPrompt(request)), request);
      if (decision) return decision;
    }
  }

  async #questions({ input: given }: JsonObject): Promise<object> {
    const input = isObject(given) ? given : {};
    const answers: Record<string, string> = {};
    for (const question of readQuestions(input)) {
      this.#page.say(question.text);
      let answer: string | undefined;
      while (answer === undefined) {
        const reply = await this.#ask(questionPrompt(question));
        if (reply === undefined)
          return { behavior: "deny", message: "The question was not answered." };
        answer = readAnswer(reply, question);
      }
      answers[question.question] = answer;
    }
    return { behavior: "allow", updatedInput: { ...input, answers } };
  }

  /**
   * Reads one line from the person, below the question. Resolves to undefined if they leave or
   * interrupt.
   */
  #ask(text: string): Promise<string | undefined> {
    const answered = new Promise<string | undefined>((resolve) => (this.#answer = resolve));
    const end = text.lastIndexOf("\n");
    if (end !== -1) this.#page.say(text.slice(0, end));
    this.#page.prompt(text.slice(end + 1));
    return answered;
  }

  #settle(text: string | undefined): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(text);
  }
}

const isOver: ReadonlySet<unknown> = new Set(["completed", "cancelled", "discarded"]);
