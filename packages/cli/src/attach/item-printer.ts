import { escapeForTerminal } from "@signalbox/protocol/text";
import { type CutBody, isCutBody } from "@signalbox/client";
import type { Item, ItemOfKind } from "@signalbox/timeline";
import { isFinished } from "@signalbox/timeline/view";
import { formatItem, formatMark } from "../replay/item-text.ts";
import { OutputWriter, type OutputStreams } from "../run/output-writer.ts";
import { truncate, getColumns, excerpt, hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { formatBody, formatToolOutput } from "./tool-output.ts";

interface ItemPrinterOptions extends OutputStreams {
  readonly style: Style;
  readonly screen: { isTTY?: boolean; columns?: number };
  /** Fetches the full text of a body that was cut in its item. */
  readonly body: (cut: CutBody) => Promise<string>;
}

/** How much of an item has been printed. */
interface PrintState {
  text: number;
  isStarted: boolean;
  isComplete: boolean;
  /** For a call: the mark that it ran differently than expected has been printed. */
  hasMark?: boolean;
}

/** Prints the items of a session as they arrive: growing text as it grows, everything else when it is complete. */
export class ItemPrinter {
  readonly #options: ItemPrinterOptions;
  readonly #output: OutputWriter;
  readonly #states = new Map<string, PrintState>();
  /** Fetched full texts, by item id. */
  readonly #bodies = new Map<string, string>();

  constructor(options: ItemPrinterOptions) {
    this.#options = options;
    this.#output = new OutputWriter(options);
  }

  /** Whether printing the item now would produce output. */
  hasChanges(item: Item): boolean {
    const shown = this.#states.get(item.id);
    if (!shown || hasNewMark(item, shown)) return true;
    if (shown.isComplete) return false;
    if (item.kind === "text" || item.kind === "thinking") {
      return !item.live || formatBody(item.text).length > shown.text;
    }
    return isItemComplete(item);
  }

  print(item: Item): void {
    const shown = this.#states.get(item.id) ?? { text: 0, isStarted: false, isComplete: false };
    this.#states.set(item.id, shown);
    if (hasNewMark(item, shown) && shown.isStarted) this.#printMark(item, shown);
    if (shown.isComplete) return;
    if (item.kind === "text" || item.kind === "thinking") return this.#printText(item, shown);
    if (item.kind === "tool") return this.#printTool(item, shown);
    if (!isItemComplete(item)) return;
    shown.isComplete = true;
    this.#printWhole(item);
  }

  /** Marks an earlier item as printed, so that it is left out. */
  skip(id: string): void {
    this.#states.set(id, { text: 0, isStarted: true, isComplete: true, hasMark: true });
  }

  note(text: string): void {
    this.#output.note(text);
  }

  #printText(item: ItemOfKind<"text" | "thinking">, shown: PrintState): void {
    const to = item.kind === "text" ? "answer" : "thought";
    if (item.parent !== undefined) {
      if (item.live) return; // a subagent's text is printed when it is complete
      shown.isComplete = true;
      const mark = item.kind === "text" ? "    ○ " : "    ✻ ";
      this.#output.note(
        this.#options.style.dim(
          hangIndent(escapeForTerminal(formatBody(item.text)), mark, this.#columns),
        ),
      );
      return;
    }
    const text = this.#getText(item, shown);
    if (text === undefined) return;
    const paint = to === "thought" ? this.#options.style.dim : undefined;
    this.#output.append(to, escapeForTerminal(text.slice(shown.text)), paint);
    shown.text = Math.max(shown.text, text.length);
    if (item.live) return;
    shown.isComplete = true;
    this.#output.closeLine();
  }

  /** Undefined while the rest of a partly printed text is being fetched. */
  #getText(item: ItemOfKind<"text" | "thinking">, shown: PrintState): string | undefined {
    const text: unknown = item.text;
    if (!isCutBody(text)) return String(text);
    const fetched = this.#bodies.get(item.id);
    if (fetched !== undefined) return fetched;
    if (shown.text === 0) return formatBody(text); // an old text: its start and end are enough
    void this.#fetch(item, text);
    return undefined;
  }

  async #fetch(item: ItemOfKind<"text" | "thinking">, cut: CutBody): Promise<void> {
    const whole = await this.#options.body(cut).catch(() => undefined); // what was printed stays
    if (whole === undefined) return;
    this.#bodies.set(item.id, whole);
    this.print(item);
  }

  #printTool(item: ItemOfKind<"tool">, shown: PrintState): void {
    const { style } = this.#options;
    const margin = item.parent === undefined ? "" : "    ";
    if (!shown.isStarted && item.payload) {
      shown.isStarted = true;
      const title = joinLines(escapeForTerminal(item.title));
      const line = `${margin}${style.cyan("●")} ${style.bold(escapeForTerminal(item.name))} ${title}`;
      this.#output.note(truncate(line, this.#columns), "call");
      if (hasNewMark(item, shown)) this.#printMark(item, shown);
    }
    if (!isItemComplete(item) || !item.payload) return;
    shown.isComplete = true;
    const failed = item.status !== "complete";
    const text = escapeForTerminal(formatToolOutput(item.payload)).trimEnd();
    const shownText = text === "" && failed ? item.status : text;
    if (shownText === "") return;
    const paint = failed ? style.red : style.dim;
    const lines = excerpt(shownText.split("\n"), 5, 3).map((line, i) =>
      paint(truncate(`${margin}${i === 0 ? "  ⎿ " : "    "}${line}`, this.#columns)),
    );
    this.#output.note(lines.join("\n"), "call");
  }

  /** Prints that a hook allowed the call for the person or changed its input, with the input that ran. */
  #printMark(item: MarkedCall, shown: PrintState): void {
    const { bold, yellow } = this.#options.style;
    const margin = item.parent === undefined ? "" : "    ";
    // A mark that arrives late is printed apart from its call, so it names the call.
    const call = shown.isComplete
      ? `${escapeForTerminal(item.name)} ${escapeForTerminal(item.title)}: `
      : "";
    shown.hasMark = true;
    const [first = "", ...more] = formatMark(item.mark);
    const lines = [
      `${joinLines(call)}${escapeForTerminal(first)}`,
      ...more.map((line) => escapeForTerminal(line)),
    ];
    const text = lines.map((line, i) =>
      hangIndent(line, `${margin}${i === 0 ? "  ⚠ " : "    "}`, this.#columns),
    );
    this.#output.note(yellow(bold(text.join("\n"))), "call");
  }

  #printWhole(item: Item): void {
    const { style } = this.#options;
    const lines = formatItem(item).filter((line) => line.trim() !== "");
    if (lines.length === 0) return;
    const paint =
      item.kind === "prompt"
        ? style.bold
        : item.kind === "turn-end" && item.status !== "success"
          ? style.red
          : style.dim;
    for (const line of excerpt(lines, 20, 5)) {
      this.#output.note(paint(hangIndent(line, "", this.#columns)));
    }
  }

  get #columns(): number {
    return getColumns(this.#options.screen);
  }
}

type MarkedCall = ItemOfKind<"tool"> & { readonly mark: NonNullable<ItemOfKind<"tool">["mark"]> };

function hasNewMark(item: Item, { hasMark: marked }: PrintState): item is MarkedCall {
  return item.kind === "tool" && item.mark !== undefined && marked !== true;
}

function joinLines(text: string): string {
  return text.replaceAll("\n", " ⏎ ");
}

/** Whether nothing about the item that is printed can change any more. */
function isItemComplete(item: Item): boolean {
  switch (item.kind) {
    case "tool":
      return isFinished(item.status);
    case "ask":
      return item.status !== "open";
    case "compaction":
      return item.state !== "running";
    case "block":
      return !item.live;
    default:
      return true;
  }
}
