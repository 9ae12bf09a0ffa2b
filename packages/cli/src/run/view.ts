import {
  type Decoded,
  isObject,
  type Message,
  resultCostUsd,
  resultError,
  resultText,
  resultTokens,
  type SystemMessage,
} from "@signalbox/protocol";
import type { Run } from "@signalbox/runner";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { indent, resultText as toolResultText, toolLine } from "./describe-tool.ts";

export interface Streams {
  /** The answer. */
  readonly answer: (text: string) => void;
  /** Everything around it: thoughts, tools, what happened. */
  readonly note: (text: string) => void;
  readonly style: Style;
}

const RESULT_LINES = 8;

/** Shows a run as it happens: the answer on one stream, what surrounds it on the other. */
export class View {
  readonly #streams: Streams;
  readonly #streamed = new Set<string>();
  readonly #tools = new Map<string, string>();
  #openLine: "answer" | "thought" | undefined;
  #said = false;
  #introduced = false;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  introduce({ agent, folder, leftOut }: Run): void {
    const { style } = this.#streams;
    const known =
      agent.versionClass === "tested" ? "" : ` (${agent.versionClass} with this signalbox)`;
    this.note(style.dim(`Claude Code ${agent.version}${known} in ${visible(folder)}`));
    for (const { option, why } of leftOut) this.note(style.dim(`left out ${option}: ${why}`));
  }

  /** A line of its own on the side stream. */
  note(text: string): void {
    this.#closeLine();
    this.#streams.note(`${text}\n`);
  }

  show(line: Decoded): void {
    const { style } = this.#streams;
    if (line.flaws?.droppedBytes)
      this.note(style.red(`a line was cut: ${line.flaws.droppedBytes} bytes too long`));
    if (line.kind === "known") return this.#showMessage(line.message);
    const what =
      line.kind === "noise" ? `not a message (${line.why})` : `${line.kind} message ${line.type}`;
    this.note(style.dim(`· ${visible(what)}: ${shorten(visible(line.raw), 160)}`));
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
    if (event.type === "content_block_stop") this.#closeLine();
    const delta = event["delta"];
    if (!isObject(delta)) return;
    if (typeof delta["text"] === "string") this.#append("answer", delta["text"]);
    if (typeof delta["thinking"] === "string") this.#append("thought", delta["thinking"]);
  }

  #append(to: "answer" | "thought", text: string): void {
    if (text === "") return;
    if (this.#openLine !== undefined && this.#openLine !== to) this.#closeLine();
    const { answer, note, style } = this.#streams;
    if (to === "answer") {
      this.#said = true;
      answer(visible(text));
    } else {
      note(style.dim(visible(this.#openLine === undefined ? `✻ ${text}` : text)));
    }
    this.#openLine = to;
  }

  #closeLine(): void {
    if (this.#openLine === "answer") this.#streams.answer("\n");
    if (this.#openLine === "thought") this.#streams.note("\n");
    this.#openLine = undefined;
  }

  #showBlocks({ message, parent_tool_use_id: lane }: Message<"assistant">): void {
    const content =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : message.content;
    const whole = message.id === undefined || !this.#streamed.has(message.id);
    for (const block of content as { type: string; [field: string]: unknown }[]) {
      const text = block["text"] ?? block["thinking"];
      if (typeof text === "string" && whole) this.#showWhole(block.type, text, lane);
      if (block.type === "tool_use") this.#showCall(block, lane);
      if (block.type === "tool_result") this.#showToolResult(block, lane);
    }
  }

  #showWhole(type: string, text: string, lane: string | null | undefined): void {
    if (lane) return this.note(this.#streams.style.dim(indent(visible(text), "    ")));
    this.#append(type === "thinking" ? "thought" : "answer", text);
    this.#closeLine();
  }

  #showCall(block: { [field: string]: unknown }, lane: string | null | undefined): void {
    const { style } = this.#streams;
    const name = String(block["name"]);
    this.#tools.set(String(block["id"]), name);
    const what = shorten(visible(toolLine(block["input"])), 200);
    this.note(`${margin(lane)}${style.cyan("●")} ${style.bold(visible(name))} ${what}`);
  }

  #showUser({ message, parent_tool_use_id: lane, isSynthetic }: Message<"user">): void {
    if (typeof message.content === "string") {
      const output = /^<local-command-std(?:out|err)>(.*)<\/local-command-std(?:out|err)>$/s.exec(
        message.content,
      );
      if (output) this.note(visible(output[1] ?? ""));
      else if (isSynthetic)
        this.note(this.#streams.style.dim("· the conversation so far was summed up"));
      return;
    }
    for (const block of message.content)
      if (block.type === "tool_result") this.#showToolResult(block, lane);
  }

  #showToolResult(block: { [field: string]: unknown }, lane: string | null | undefined): void {
    const { style } = this.#streams;
    const lines = visible(toolResultText(block["content"])).trimEnd().split("\n");
    const shown = lines.slice(0, RESULT_LINES).map((line) => shorten(line, 200));
    if (lines.length > RESULT_LINES) shown.push(`… ${lines.length - RESULT_LINES} more lines`);
    const text = shown.join("\n") || "(no output)";
    const paint = block["is_error"] === true ? style.red : style.dim;
    this.note(paint(indent(text, `${margin(lane)}  ⎿ `).replaceAll(/\n( *) {2}⎿ /g, "\n$1    ")));
  }

  #showSystem(message: SystemMessage): void {
    const { style } = this.#streams;
    switch (message.subtype) {
      case "init":
        if (this.#introduced) return;
        this.#introduced = true;
        return this.note(
          style.dim(`${visible(message.model ?? "?")} · session ${visible(message.session_id)}`),
        );
      case "api_retry": {
        const seconds = ((message.retry_delay_ms ?? 0) / 1000).toFixed(1);
        const which = `attempt ${message.attempt ?? "?"} of ${message.max_retries ?? "?"}`;
        return this.#warn(
          `the model answered ${message.error_status ?? "nothing"}; again in ${seconds} s (${which})`,
        );
      }
      case "status":
        return message.status === "compacting"
          ? this.note(style.dim("· summing up the conversation…"))
          : undefined;
      case "task_started":
        return this.note(
          style.dim(`· in the background: ${visible(message.description ?? message.task_id)}`),
        );
      case "task_notification":
        return this.note(
          style.dim(`· background ${visible(message.status)}: ${visible(message.summary ?? "")}`),
        );
      case "permission_denied":
        return this.#warn(`${message.tool_name} was not allowed: ${message.message ?? ""}`);
      case "model_refusal_fallback":
      case "model_refusal_no_fallback":
        return this.#warn(message.content ?? `${message.original_model} refused`);
      case "local_command_output":
        return this.note(visible(message.content));
      case "informational":
        return this.note(style.dim(`· ${visible(message.content)}`));
      default:
        return undefined;
    }
  }

  #showResult(result: Message<"result">): void {
    const { style } = this.#streams;
    const text = resultText(result);
    const failed = resultError(result);
    if (!this.#said && failed === undefined && text) this.#append("answer", text);
    this.#closeLine();
    this.#said = false;
    if (failed !== undefined) this.note(style.red(`✗ ${visible(failed)}`));
    this.note(style.dim(summary(result)));
  }

  #warn(text: string): void {
    this.note(this.#streams.style.yellow(`! ${visible(text)}`));
  }
}

function summary(result: Message<"result">): string {
  const { input, output } = resultTokens(result);
  const cost = resultCostUsd(result);
  const parts = [
    result.duration_ms === undefined ? "" : `${(result.duration_ms / 1000).toFixed(1)} s`,
    result.num_turns === undefined
      ? ""
      : `${result.num_turns} turn${result.num_turns === 1 ? "" : "s"}`,
    cost === undefined ? "" : `$${cost.toFixed(4)}`,
    input === undefined || output === undefined ? "" : `${input} tokens in, ${output} out`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function margin(lane: string | null | undefined): string {
  return lane ? "    " : "";
}

function shorten(text: string, most: number): string {
  const line = text.replaceAll("\n", " ⏎ ");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
