import { escapeForTerminal } from "@signalbox/protocol/text";
import {
  type Decoded,
  type Message,
  readResultCostUsd,
  readResultText,
  readResultTokens,
  type SystemMessage,
} from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import type { Run } from "@signalbox/host";
import { truncate, getColumns, hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import {
  formatCount,
  type TextLayout,
  formatToolResult as toolResultText,
} from "./describe-tool.ts";
import { OutputWriter, type OutputStreams } from "./output-writer.ts";
import { type ToolCall, formatRepeatedCall, formatCall, formatResult } from "./format-tool-call.ts";
import { getTurnError } from "./turn-tracker.ts";

interface MessagePrinterOptions extends OutputStreams {
  readonly style: Style;
  /** The stream of the notes. Its width may change. */
  readonly screen: { isTTY?: boolean; columns?: number };
  /** Whether costs are shown. They make no sense with a scripted model. */
  readonly priced: boolean;
}
type Block = { readonly type: string; readonly [field: string]: unknown };
type Lane = string | null | undefined;

/** Prints the messages of a run as they arrive: the answer on one stream, everything else on the other. */
export class MessagePrinter {
  readonly #options: MessagePrinterOptions;
  readonly #output: OutputWriter;
  readonly #streamed = new Set<string>();
  readonly #calls = new Map<string, ToolCall>();
  /** The calls whose subagents have printed their own text. */
  readonly #reported = new Set<string>();
  #folder = "";
  #lastCall: string | undefined;
  #lane: string | undefined;
  #hasAnswer = false;
  #hasSession = false;

  constructor(options: MessagePrinterOptions) {
    this.#options = options;
    this.#output = new OutputWriter(options);
  }

  printHeader({ agent, folder, unsupportedOptions }: Run, remarks: readonly string[] = []): void {
    const known =
      agent.versionClass === "tested"
        ? ""
        : ` (${agent.versionClass} with this version of Signalbox)`;
    this.#folder = folder;
    this.#dimNote(`Claude Code ${agent.version}${known} in ${folder}`);
    for (const { option, why } of unsupportedOptions)
      this.#dimNote(`Not available: ${option} (${why})`);
    for (const remark of remarks) this.#dimNote(remark);
  }

  /** Prints a separate line on the stream for notes. */
  note(text: string): void {
    this.#output.note(text);
  }

  print(line: Decoded): void {
    const { style } = this.#options;
    if (line.flaws?.droppedBytes)
      this.note(
        style.red(`A line was truncated: ${line.flaws.droppedBytes} bytes over the limit.`),
      );
    if (line.kind === "known") return this.#printMessage(line.message);
    const what =
      line.kind === "noise" ? `not a message (${line.why})` : `${line.kind} message ${line.type}`;
    const text = escapeForTerminal(`· ${what}: ${line.raw}`).replaceAll("\n", " ⏎ ");
    this.note(style.dim(truncate(text, Math.min(160, this.#layout.columns))));
  }

  #printMessage(message: Message): void {
    switch (message.type) {
      case "stream_event":
        return this.#printDelta(message);
      case "assistant":
        return this.#printBlocks(message);
      case "user":
        return this.#printUser(message);
      case "system":
        return this.#printSystem(message);
      case "result":
        return this.#printResult(message);
      case "rate_limit_event":
        if (message.rate_limit_info.status === "allowed") return undefined;
        return this.#warn(`Rate limit: ${message.rate_limit_info.status ?? "reached"}`);
      case "rate_limit":
        return this.#warn(`Rate limit: ${message.message ?? "reached"}`);
      case "auth_status":
        return message.error === undefined
          ? undefined
          : this.#warn(`Sign-in failed: ${message.error}`);
      default:
        return undefined; // control messages and bookkeeping are not printed
    }
  }

  #printDelta({ event, parent_tool_use_id: lane }: Message<"stream_event">): void {
    if (lane) return; // a subagent's text is printed when it is complete
    if (event.type === "message_start" && isObject(event["message"])) {
      this.#streamed.add(String(event["message"]["id"]));
    }
    if (event.type === "content_block_stop") this.#output.closeLine();
    const delta = event["delta"];
    if (!isObject(delta)) return;
    if (typeof delta["text"] === "string") this.#append("answer", delta["text"]);
    if (typeof delta["thinking"] === "string") this.#append("thought", delta["thinking"]);
  }

  #append(to: "answer" | "thought", text: string): void {
    if (to === "answer" && text !== "") this.#hasAnswer = true;
    this.#output.append(
      to,
      escapeForTerminal(text),
      to === "thought" ? this.#options.style.dim : undefined,
    );
  }

  #printBlocks({ message, parent_tool_use_id: lane }: Message<"assistant">): void {
    const content =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : message.content;
    const whole = message.id === undefined || !this.#streamed.has(message.id);
    for (const block of content as Block[]) {
      const text = block["text"] ?? block["thinking"];
      if (typeof text === "string" && whole) this.#printWhole(block.type, text, lane);
      if (block.type === "tool_use") this.#printCall(block, lane);
      if (block.type === "tool_result") this.#printToolResult(block, lane);
    }
  }

  #printWhole(type: string, text: string, lane: Lane): void {
    if (lane) {
      const { style, columns } = this.#layout;
      const first = `${this.#getMargin(lane)}${type === "thinking" ? "✻" : "○"} `;
      if (type === "text") this.#reported.add(lane);
      return this.#output.note(
        style.dim(hangIndent(escapeForTerminal(text), first, columns)),
        "call",
      );
    }
    this.#append(type === "thinking" ? "thought" : "answer", text);
    this.#output.closeLine();
  }

  #printCall(block: Block, lane: Lane): void {
    const id = String(block["id"]);
    const call = { name: String(block["name"]), input: block["input"] };
    this.#calls.set(id, call);
    const margin = this.#getMargin(lane);
    this.#output.note(formatCall(call, margin, this.#layout).join("\n"), "call");
    this.#lastCall = id;
    this.#lane = lane || id;
  }

  /** Indents the lines of a subagent, and names the subagent when the previous line was from another one. */
  #getMargin(lane: Lane): string {
    if (!lane) return "";
    const call = this.#calls.get(lane);
    if (this.#lane !== lane && call)
      this.#output.note(formatRepeatedCall(call, "  ", this.#layout), "call");
    this.#lane = lane;
    return "    ";
  }

  #printUser({ message, parent_tool_use_id: lane, isSynthetic }: Message<"user">): void {
    if (typeof message.content === "string") {
      const output = /^<local-command-std(?:out|err)>(.*)<\/local-command-std(?:out|err)>$/s.exec(
        message.content,
      );
      if (output) this.note(escapeForTerminal(output[1] ?? ""));
      else if (isSynthetic) this.#dimNote("· Conversation compacted");
      return;
    }
    for (const block of message.content)
      if (block.type === "tool_result") this.#printToolResult(block, lane);
  }

  #printToolResult(block: Block, lane: Lane): void {
    const id = String(block["tool_use_id"]);
    const call = this.#calls.get(id);
    const margin = this.#getMargin(lane);
    const failed = block["is_error"] === true;
    const isReported = !failed && this.#reported.has(id);
    const text = isReported ? "done" : toolResultText(block["content"]);
    const lines = formatResult(text, { call, failed }, margin, this.#layout);
    if (lines.length === 0) return;
    const follows = this.#lastCall === id || this.#lane === id;
    if (call && !follows) lines.unshift(formatRepeatedCall(call, `${margin}  `, this.#layout));
    this.#output.note(lines.join("\n"), "call");
    this.#lastCall = undefined;
    if (!lane) this.#lane = undefined;
  }

  #printSystem(message: SystemMessage): void {
    switch (message.subtype) {
      case "init":
        if (this.#hasSession) return;
        this.#hasSession = true;
        return this.#dimNote(`${message.model ?? "?"} · session ${message.session_id}`);
      case "api_retry": {
        const seconds = ((message.retry_delay_ms ?? 0) / 1000).toFixed(1);
        const problem =
          message.error_status === undefined
            ? "did not answer"
            : `answered ${message.error_status}`;
        const which = `attempt ${message.attempt ?? "?"} of ${message.max_retries ?? "?"}`;
        return this.#warn(`The model ${problem}. Retrying in ${seconds} s (${which})…`);
      }
      case "status":
        if (message.status === "compacting") this.#dimNote("· Compacting the conversation…");
        return undefined;
      case "task_started":
        if (this.#isForeground(message["tool_use_id"])) return undefined;
        return this.#dimNote(
          `· Background task started: ${message.description ?? message.task_id}`,
        );
      case "task_notification":
        if (this.#isForeground(message["tool_use_id"])) return undefined;
        return this.#dimNote(`· Background task ${message.status}: ${message.summary ?? ""}`);
      case "permission_denied":
        return this.#warn(`Denied ${message.tool_name}: ${message.message ?? ""}`);
      case "model_refusal_fallback":
      case "model_refusal_no_fallback":
        return this.#warn(message.content ?? `${message.original_model} refused to answer.`);
      case "local_command_output":
        return this.note(escapeForTerminal(message.content));
      case "informational":
        return this.#dimNote(`· ${message.content}`);
      default:
        return undefined;
    }
  }

  /** Whether the agent waits for the task, so that its call and its result already show it. */
  #isForeground(id: unknown): boolean {
    const call = this.#calls.get(String(id));
    if (!isObject(call?.input)) return false;
    const { run_in_background: inBackground } = call.input;
    return call.name === "Bash" ? inBackground !== true : inBackground === false;
  }

  #printResult(result: Message<"result">): void {
    const text = readResultText(result);
    const failed = getTurnError(result);
    if (!this.#hasAnswer && failed === undefined && text) this.#append("answer", text);
    this.#output.closeLine();
    this.#hasAnswer = false;
    if (failed !== undefined) {
      this.note(
        this.#options.style.red(hangIndent(escapeForTerminal(failed), "✗ ", this.#layout.columns)),
      );
    }
    this.#dimNote(formatSummary(result, this.#options.priced));
  }

  #warn(text: string): void {
    this.note(
      this.#options.style.yellow(hangIndent(escapeForTerminal(text), "! ", this.#layout.columns)),
    );
  }

  #dimNote(text: string): void {
    this.note(
      this.#options.style.dim(hangIndent(escapeForTerminal(text), "", this.#layout.columns)),
    );
  }

  get #layout(): TextLayout {
    const { style, screen } = this.#options;
    return { style, columns: getColumns(screen), folder: this.#folder };
  }
}

function formatSummary(result: Message<"result">, priced: boolean): string {
  const { input, output } = readResultTokens(result);
  const cost = readResultCostUsd(result);
  const parts = [
    typeof result.duration_ms !== "number" ? "" : `${(result.duration_ms / 1000).toFixed(1)} s`,
    typeof result.num_turns !== "number" ? "" : formatCount(result.num_turns, "turn"),
    cost === undefined || !priced ? "" : `$${cost.toFixed(4)}`,
    input === undefined || output === undefined ? "" : `${input} tokens in, ${output} out`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
