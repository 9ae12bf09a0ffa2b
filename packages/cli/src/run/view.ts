import { escapeForTerminal } from "@signalbox/protocol/text";
import {
  type Decoded,
  isObject,
  type Message,
  readResultCostUsd,
  readResultText,
  readResultTokens,
  type SystemMessage,
} from "@signalbox/protocol";
import type { Run } from "@signalbox/host";
import { clip, columnsOf, hang } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { counted, type Look, resultText as toolResultText } from "./describe-tool.ts";
import { Page, type Streams } from "./page.ts";
import { type Call, callAgain, callLines, resultLines } from "./show-tool.ts";
import { turnError } from "./turn-watch.ts";

interface ViewOptions extends Streams {
  readonly style: Style;
  /** What the notes are read on; its width may change. */
  readonly screen: { isTTY?: boolean; columns?: number };
  /** Figures of money make no sense where a script answers. */
  readonly priced: boolean;
}
type Block = { readonly type: string; readonly [field: string]: unknown };
type Lane = string | null | undefined;

/** Shows a run as it happens: the answer on one stream, what surrounds it on the other. */
export class View {
  readonly #options: ViewOptions;
  readonly #page: Page;
  readonly #streamed = new Set<string>();
  readonly #calls = new Map<string, Call>();
  /** The calls whose subagents have spoken for themselves. */
  readonly #reported = new Set<string>();
  #folder = "";
  #lastCall: string | undefined;
  #lane: string | undefined;
  #said = false;
  #introduced = false;

  constructor(options: ViewOptions) {
    this.#options = options;
    this.#page = new Page(options);
  }

  introduce({ agent, folder, unsupportedOptions }: Run, remarks: readonly string[] = []): void {
    const known =
      agent.versionClass === "tested" ? "" : ` (${agent.versionClass} with this signalbox)`;
    this.#folder = folder;
    this.#remark(`Claude Code ${agent.version}${known} in ${folder}`);
    for (const { option, why } of unsupportedOptions) this.#remark(`left out ${option}: ${why}`);
    for (const remark of remarks) this.#remark(remark);
  }

  /** A line of its own on the side stream. */
  note(text: string): void {
    this.#page.note(text);
  }

  show(line: Decoded): void {
    const { style } = this.#options;
    if (line.flaws?.droppedBytes)
      this.note(style.red(`a line was cut: ${line.flaws.droppedBytes} bytes too long`));
    if (line.kind === "known") return this.#showMessage(line.message);
    const what =
      line.kind === "noise" ? `not a message (${line.why})` : `${line.kind} message ${line.type}`;
    const text = escapeForTerminal(`· ${what}: ${line.raw}`).replaceAll("\n", " ⏎ ");
    this.note(style.dim(clip(text, Math.min(160, this.#look.columns))));
  }

  #showMessage(message: Message): void {
    switch (message.type) {
      case "stream_event":
        return this.#showDelta(message);
      case "assistant":
        return this.#showBlocks(message);
      case "user":
        return this.#showUser(message);
      case "system":
        return this.#showSystem(message);
      case "result":
        return this.#showResult(message);
      case "rate_limit_event":
        if (message.rate_limit_info.status === "allowed") return undefined;
        return this.#warn(`rate limit: ${message.rate_limit_info.status ?? "reached"}`);
      case "rate_limit":
        return this.#warn(`rate limit: ${message.message ?? "reached"}`);
      case "auth_status":
        return message.error === undefined ? undefined : this.#warn(`login: ${message.error}`);
      default:
        return undefined; // the control plane and bookkeeping: not for this view
    }
  }

  #showDelta({ event, parent_tool_use_id: lane }: Message<"stream_event">): void {
    if (lane) return; // a subagent's text is shown when it is whole
    if (event.type === "message_start" && isObject(event["message"])) {
      this.#streamed.add(String(event["message"]["id"]));
    }
    if (event.type === "content_block_stop") this.#page.closeLine();
    const delta = event["delta"];
    if (!isObject(delta)) return;
    if (typeof delta["text"] === "string") this.#append("answer", delta["text"]);
    if (typeof delta["thinking"] === "string") this.#append("thought", delta["thinking"]);
  }

  #append(to: "answer" | "thought", text: string): void {
    if (to === "answer" && text !== "") this.#said = true;
    this.#page.append(
      to,
      escapeForTerminal(text),
      to === "thought" ? this.#options.style.dim : undefined,
    );
  }

  #showBlocks({ message, parent_tool_use_id: lane }: Message<"assistant">): void {
    const content =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : message.content;
    const whole = message.id === undefined || !this.#streamed.has(message.id);
    for (const block of content as Block[]) {
      const text = block["text"] ?? block["thinking"];
      if (typeof text === "string" && whole) this.#showWhole(block.type, text, lane);
      if (block.type === "tool_use") this.#showCall(block, lane);
      if (block.type === "tool_result") this.#showToolResult(block, lane);
    }
  }

  #showWhole(type: string, text: string, lane: Lane): void {
    if (lane) {
      const { style, columns } = this.#look;
      const first = `${this.#margin(lane)}${type === "thinking" ? "✻" : "○"} `;
      if (type === "text") this.#reported.add(lane);
      return this.#page.note(style.dim(hang(escapeForTerminal(text), first, columns)), "call");
    }
    this.#append(type === "thinking" ? "thought" : "answer", text);
    this.#page.closeLine();
  }

  #showCall(block: Block, lane: Lane): void {
    const id = String(block["id"]);
    const call = { name: String(block["name"]), input: block["input"] };
    this.#calls.set(id, call);
    const margin = this.#margin(lane);
    this.#page.note(callLines(call, margin, this.#look).join("\n"), "call");
    this.#lastCall = id;
    this.#lane = lane || id;
  }

  /** A subagent's lines are set in; when another one speaks, it is named. */
  #margin(lane: Lane): string {
    if (!lane) return "";
    const call = this.#calls.get(lane);
    if (this.#lane !== lane && call) this.#page.note(callAgain(call, "  ", this.#look), "call");
    this.#lane = lane;
    return "    ";
  }

  #showUser({ message, parent_tool_use_id: lane, isSynthetic }: Message<"user">): void {
    if (typeof message.content === "string") {
      const output = /^<local-command-std(?:out|err)>(.*)<\/local-command-std(?:out|err)>$/s.exec(
        message.content,
      );
      if (output) this.note(escapeForTerminal(output[1] ?? ""));
      else if (isSynthetic) this.#remark("· the conversation so far was summed up");
      return;
    }
    for (const block of message.content)
      if (block.type === "tool_result") this.#showToolResult(block, lane);
  }

  #showToolResult(block: Block, lane: Lane): void {
    const id = String(block["tool_use_id"]);
    const call = this.#calls.get(id);
    const margin = this.#margin(lane);
    const failed = block["is_error"] === true;
    const told = !failed && this.#reported.has(id);
    const text = told ? "done" : toolResultText(block["content"]);
    const lines = resultLines(text, { call, failed }, margin, this.#look);
    if (lines.length === 0) return;
    const follows = this.#lastCall === id || this.#lane === id;
    if (call && !follows) lines.unshift(callAgain(call, `${margin}  `, this.#look));
    this.#page.note(lines.join("\n"), "call");
    this.#lastCall = undefined;
    if (!lane) this.#lane = undefined;
  }

  #showSystem(message: SystemMessage): void {
    switch (message.subtype) {
      case "init":
        if (this.#introduced) return;
        this.#introduced = true;
        return this.#remark(`${message.model ?? "?"} · session ${message.session_id}`);
      case "api_retry": {
        const seconds = ((message.retry_delay_ms ?? 0) / 1000).toFixed(1);
        const which = `attempt ${message.attempt ?? "?"} of ${message.max_retries ?? "?"}`;
        return this.#warn(
          `the model answered ${message.error_status ?? "nothing"}; again in ${seconds} s (${which})`,
        );
      }
      case "status":
        if (message.status === "compacting") this.#remark("· summing up the conversation…");
        return undefined;
      case "task_started":
        if (this.#waitsFor(message["tool_use_id"])) return undefined;
        return this.#remark(`· in the background: ${message.description ?? message.task_id}`);
      case "task_notification":
        if (this.#waitsFor(message["tool_use_id"])) return undefined;
        return this.#remark(`· background ${message.status}: ${message.summary ?? ""}`);
      case "permission_denied":
        return this.#warn(`${message.tool_name} was not allowed: ${message.message ?? ""}`);
      case "model_refusal_fallback":
      case "model_refusal_no_fallback":
        return this.#warn(message.content ?? `${message.original_model} refused`);
      case "local_command_output":
        return this.note(escapeForTerminal(message.content));
      case "informational":
        return this.#remark(`· ${message.content}`);
      default:
        return undefined;
    }
  }

  /** A task that the agent itself waits for is told of by its call and its result. */
  #waitsFor(id: unknown): boolean {
    const call = this.#calls.get(String(id));
    if (!isObject(call?.input)) return false;
    const { run_in_background: inBackground } = call.input;
    return call.name === "Bash" ? inBackground !== true : inBackground === false;
  }

  #showResult(result: Message<"result">): void {
    const text = readResultText(result);
    const failed = turnError(result);
    if (!this.#said && failed === undefined && text) this.#append("answer", text);
    this.#page.closeLine();
    this.#said = false;
    if (failed !== undefined) {
      this.note(this.#options.style.red(hang(escapeForTerminal(failed), "✗ ", this.#look.columns)));
    }
    this.#remark(summary(result, this.#options.priced));
  }

  #warn(text: string): void {
    this.note(this.#options.style.yellow(hang(escapeForTerminal(text), "! ", this.#look.columns)));
  }

  #remark(text: string): void {
    this.note(this.#options.style.dim(hang(escapeForTerminal(text), "", this.#look.columns)));
  }

  get #look(): Look {
    const { style, screen } = this.#options;
    return { style, columns: columnsOf(screen), folder: this.#folder };
  }
}

function summary(result: Message<"result">, priced: boolean): string {
  const { input, output } = readResultTokens(result);
  const cost = readResultCostUsd(result);
  const parts = [
    typeof result.duration_ms !== "number" ? "" : `${(result.duration_ms / 1000).toFixed(1)} s`,
    typeof result.num_turns !== "number" ? "" : counted(result.num_turns, "turn"),
    cost === undefined || !priced ? "" : `$${cost.toFixed(4)}`,
    input === undefined || output === undefined ? "" : `${input} tokens in, ${output} out`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
