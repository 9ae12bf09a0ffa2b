import type { OutgoingMessage, Prompt } from "../agent.ts";
import type { AgentOptions } from "../command-line/options.ts";
import type { Session } from "../sessions/open-session.ts";
import { isTranscriptMessage, isRequestedByHost } from "./message-filter.ts";

/** The state of a prompt, as it is reported to hosts. */
type PromptStage = "queued" | "started" | "completed" | "cancelled" | "discarded";

/**
 * Sends everything to the host under the id of the current session, and stores the part that
 * belongs to the transcript.
 */
export class HostOutput {
  readonly #options: AgentOptions;
  readonly #print: (line: string) => void;
  /** Prompts that are echoed before the next message. */
  #toEcho: Prompt[] = [];
  /** Prompts that are echoed just before the result. */
  #toEchoLate: Prompt[] = [];
  /** The last prompt of a person. */
  #lastPrompt = "";
  #session: Session;

  constructor(options: AgentOptions, session: Session, print: (line: string) => void) {
    this.#options = options;
    this.#session = session;
    this.#print = print;
  }

  /** The transcript that lines are written to now. */
  get session(): Session {
    return this.#session;
  }

  /** `kept`: the message to store, if it differs from the one to send. */
  say(message: OutgoingMessage, storedMessage = message): string {
    const session = this.#session;
    const uuid = typeof message["uuid"] === "string" ? message["uuid"] : crypto.randomUUID();
    const named = { uuid, session_id: session.id };
    const whole = { ...message, ...named };
    if (isTranscriptMessage(message))
      session.transcript.add({ ...storedMessage, ...named } as never);
    if (!isRequestedByHost(message, this.#options)) return uuid;
    if (message.type !== "system" && message.type !== "command_lifecycle") this.#sayEchoes();
    if (message.type === "result") {
      this.#sayLateEchoes();
      session.transcript.nameLast(this.#lastPrompt);
    }
    this.#print(JSON.stringify(whole));
    return uuid;
  }

  /**
   * Reports the state of prompts to the host, but only of prompts whose sender gave them a uuid,
   * even an empty one: otherwise nobody could know which prompt is meant.
   */
  tell(prompts: readonly Prompt[], state: PromptStage): void {
    for (const { line } of prompts) {
      if (typeof line["uuid"] !== "string") continue;
      this.say({ type: "command_lifecycle", command_uuid: line["uuid"], state });
    }
  }

  /**
   * Echoes a prompt (`--replay-user-messages`) that is taken together with another, or was taken
   * before.
   */
  echo(prompt: Prompt, when: object = {}): void {
    if (!this.#options.replayUserMessages) return;
    const { uuid, content } = prompt;
    const message = { role: "user", content };
    const rest = { parent_tool_use_id: null, ...when, isReplay: true, ...getSender(prompt) };
    const session_id = this.#session.id;
    this.#print(JSON.stringify({ type: "user", message, session_id, uuid, ...rest }));
  }

  /** Echoes a prompt that is taken now. */
  echoNow(prompt: Prompt): void {
    this.echo(prompt, { timestamp: new Date().toISOString() });
  }

  echoSoon(prompt: Prompt): void {
    this.#toEcho.push(prompt);
  }

  /** Replaces the text of the prompts that are echoed next. */
  echoAs(content: Prompt["content"]): void {
    this.#toEcho = this.#toEcho.map((one) => ({ ...one, content }));
  }

  /** Delays the waiting echoes until the result, with this text, or omits them. */
  echoLate(content: string | undefined): void {
    const queuedEchoes = this.#toEcho.splice(0);
    if (content !== undefined)
      this.#toEchoLate.push(...queuedEchoes.map((one) => ({ ...one, content })));
  }

  #sayLateEchoes(): void {
    for (const prompt of this.#toEchoLate.splice(0)) this.echoNow(prompt);
  }

  #sayEchoes(): void {
    for (const prompt of this.#toEcho.splice(0)) this.echoNow(prompt);
  }

  /** Writes a prompt to the stored conversation. */
  keep({ uuid, content, line }: Prompt): void {
    const message = { role: "user", content };
    const extra = line["isMeta"] === true ? { isMeta: true } : {};
    const promptText = getText(content);
    if (!extra.isMeta && promptText !== "" && !promptText.startsWith("/"))
      this.#lastPrompt = promptText;
    this.#session.transcript.add({ type: "user", uuid, message, ...extra });
  }

  startOver(titleOfOld: string | undefined): void {
    this.#session = this.#session.successor(titleOfOld);
    const { title } = this.#session;
    if (title === undefined) return;
    this.#sayTitle(title);
    this.#sayTitle(title); // Written twice, as Claude Code does.
  }

  /** The title of the continued session, if it has one. */
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

/** Returns who sent the prompt, if that is known. */
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
