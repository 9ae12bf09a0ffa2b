import type { OutgoingMessage, Prompt } from "../agent.ts";
import type { AgentOptions } from "../command-line/options.ts";
import type { Session } from "../sessions/open-session.ts";
import { isTranscriptMessage, isRequestedByHost } from "./message-filter.ts";

/** What becomes of a prompt, as hosts are told. */
type PromptStage = "queued" | "started" | "completed" | "cancelled" | "discarded";

/** All that is said to the host, in the name of the session that is led now, and what is kept of it. */
export class HostOutput {
  readonly #options: AgentOptions;
  readonly #print: (line: string) => void;
  /** Prompts that are echoed with the first thing that is said to them. */
  #toEcho: Prompt[] = [];
  /** Those that are echoed just before the result. */
  #toEchoLate: Prompt[] = [];
  /** What a person wanted last. */
  #lastPrompt = "";
  #session: Session;

  constructor(options: AgentOptions, session: Session, print: (line: string) => void) {
    this.#options = options;
    this.#session = session;
    this.#print = print;
  }

  /** The one that lines go to now. */
  get session(): Session {
    return this.#session;
  }

  /** `kept`: what is kept of it, where that is something else. */
  say(message: OutgoingMessage, kept = message): string {
    const session = this.#session;
    const uuid = typeof message["uuid"] === "string" ? message["uuid"] : crypto.randomUUID();
    const named = { uuid, session_id: session.id };
    const whole = { ...message, ...named };
    if (isTranscriptMessage(message)) session.transcript.add({ ...kept, ...named } as never);
    if (!isRequestedByHost(message, this.#options)) return uuid;
    if (message.type !== "system" && message.type !== "command_lifecycle") this.#sayEchoes();
    if (message.type === "result") {
      this.#sayLateEchoes();
      session.transcript.nameLast(this.#lastPrompt);
    }
    this.#print(JSON.stringify(whole));
    return uuid;
  }

  /** Only for prompts whose sender gave them a name, be it an empty one: nobody else could know which
   * one is meant. */
  tell(prompts: readonly Prompt[], state: PromptStage): void {
    for (const { line } of prompts) {
      if (typeof line["uuid"] !== "string") continue;
      this.say({ type: "command_lifecycle", command_uuid: line["uuid"], state });
    }
  }

  /** `--replay-user-messages`: a prompt that is taken in with another, or was before. */
  echo(prompt: Prompt, when: object = {}): void {
    if (!this.#options.replayUserMessages) return;
    const { uuid, content } = prompt;
    const message = { role: "user", content };
    const rest = { parent_tool_use_id: null, ...when, isReplay: true, ...getSender(prompt) };
    const session_id = this.#session.id;
    this.#print(JSON.stringify({ type: "user", message, session_id, uuid, ...rest }));
  }

  /** One that is taken in now. */
  echoNow(prompt: Prompt): void {
    this.echo(prompt, { timestamp: new Date().toISOString() });
  }

  echoSoon(prompt: Prompt): void {
    this.#toEcho.push(prompt);
  }

  /** What is to be echoed soon says this. */
  echoAs(content: Prompt["content"]): void {
    this.#toEcho = this.#toEcho.map((one) => ({ ...one, content }));
  }

  /** What was to be echoed soon comes with the result, in these words, or not at all. */
  echoLate(content: string | undefined): void {
    const held = this.#toEcho.splice(0);
    if (content !== undefined) this.#toEchoLate.push(...held.map((one) => ({ ...one, content })));
  }

  #sayLateEchoes(): void {
    for (const prompt of this.#toEchoLate.splice(0)) this.echoNow(prompt);
  }

  #sayEchoes(): void {
    for (const prompt of this.#toEcho.splice(0)) this.echoNow(prompt);
  }

  /** A prompt becomes part of the stored conversation. */
  keep({ uuid, content, line }: Prompt): void {
    const message = { role: "user", content };
    const extra = line["isMeta"] === true ? { isMeta: true } : {};
    const said = getText(content);
    if (!extra.isMeta && said !== "" && !said.startsWith("/")) this.#lastPrompt = said;
    this.#session.transcript.add({ type: "user", uuid, message, ...extra });
  }

  startOver(titleOfOld: string | undefined): void {
    this.#session = this.#session.successor(titleOfOld);
    const { title } = this.#session;
    if (title === undefined) return;
    this.#sayTitle(title);
    this.#sayTitle(title); // twice, as Claude Code does
  }

  /** What the session that goes on is called, if it has a name. */
  nameSession(): void {
    const { title } = this.#session;
    if (title !== undefined) this.#sayTitle(title);
  }

  rename(title: string): void {
    this.#session.rename(title);
    this.#sayTitle(title);
  }

  #sayTitle(title: string): void {
    this.say({ type: "system", subtype: "session_title_changed", title });
  }
}

/** By whose word it was sent, as far as that is known. */
function getSender({ line: { isSynthetic, origin } }: Prompt): object {
  return {
    ...(isSynthetic === true && { isSynthetic }),
    ...(origin !== undefined && { origin }),
  };
}

function getText(content: Prompt["content"]): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join(" ");
}
