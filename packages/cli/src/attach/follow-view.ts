import { escapeForTerminal } from "@signalbox/protocol/text";
import { type CutBody, isCutBody } from "@signalbox/client";
import { isFinished, type Item, type ItemOf } from "@signalbox/timeline";
import { itemText, markText } from "../replay/item-text.ts";
import { Page, type Streams } from "../run/page.ts";
import { clip, columnsOf, excerpt, hang } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { bodyText, outputText } from "./tool-output.ts";

interface FollowOptions extends Streams {
  readonly style: Style;
  readonly screen: { isTTY?: boolean; columns?: number };
  /** Fetches a text that did not fit into its item. */
  readonly body: (cut: CutBody) => Promise<string>;
}

/** How far an item has been shown. */
interface Shown {
  text: number;
  begun: boolean;
  over: boolean;
  /** Of a call: that it ran otherwise than a person could expect is told. */
  marked?: boolean;
}

/** Shows the items of a session as they come: growing text as it grows, all else when it is known. */
export class FollowView {
  readonly #options: FollowOptions;
  readonly #page: Page;
  readonly #shown = new Map<string, Shown>();
  /** Long texts that were fetched, by item. */
  readonly #bodies = new Map<string, string>();

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#page = new Page(options);
  }

  /** Whether showing it now would print something. */
  hasNews(item: Item): boolean {
    const shown = this.#shown.get(item.id);
    if (!shown || hasNewMark(item, shown)) return true;
    if (shown.over) return false;
    if (item.kind === "text" || item.kind === "thinking") {
      return !item.live || bodyText(item.text).length > shown.text;
    }
    return isOver(item);
  }

  show(item: Item): void {
    const shown = this.#shown.get(item.id) ?? { text: 0, begun: false, over: false };
    this.#shown.set(item.id, shown);
    if (hasNewMark(item, shown) && shown.begun) this.#showMark(item, shown);
    if (shown.over) return;
    if (item.kind === "text" || item.kind === "thinking") return this.#showText(item, shown);
    if (item.kind === "tool") return this.#showTool(item, shown);
    if (!isOver(item)) return;
    shown.over = true;
    this.#showWhole(item);
  }

  /** It was there before, and is not shown. */
  skip(id: string): void {
    this.#shown.set(id, { text: 0, begun: true, over: true, marked: true });
  }

  note(text: string): void {
    this.#page.note(text);
  }

  #showText(item: ItemOf<"text" | "thinking">, shown: Shown): void {
    const to = item.kind === "text" ? "answer" : "thought";
    if (item.parent !== undefined) {
      if (item.live) return; // a subagent's text is shown when it is whole
      shown.over = true;
      const mark = item.kind === "text" ? "    ○ " : "    ✻ ";
      this.#page.note(
        this.#options.style.dim(hang(escapeForTerminal(bodyText(item.text)), mark, this.#columns)),
      );
      return;
    }
    const text = this.#textOf(item, shown);
    if (text === undefined) return;
    const paint = to === "thought" ? this.#options.style.dim : undefined;
    this.#page.append(to, escapeForTerminal(text.slice(shown.text)), paint);
    shown.text = Math.max(shown.text, text.length);
    if (item.live) return;
    shown.over = true;
    this.#page.closeLine();
  }

  /** Undefined: the rest of a text that was begun must be fetched first. */
  #textOf(item: ItemOf<"text" | "thinking">, shown: Shown): string | undefined {
    const text: unknown = item.text;
    if (!isCutBody(text)) return String(text);
    const fetched = this.#bodies.get(item.id);
    if (fetched !== undefined) return fetched;
    if (shown.text === 0) return bodyText(text); // long past: both ends will do
    void this.#fetch(item, text);
    return undefined;
  }

  async #fetch(item: ItemOf<"text" | "thinking">, cut: CutBody): Promise<void> {
    const whole = await this.#options.body(cut).catch(() => undefined); // what was shown stands
    if (whole === undefined) return;
    this.#bodies.set(item.id, whole);
    this.show(item);
  }

  #showTool(item: ItemOf<"tool">, shown: Shown): void {
    const { style } = this.#options;
    const margin = item.parent === undefined ? "" : "    ";
    if (!shown.begun && item.payload) {
      shown.begun = true;
      const title = oneLine(escapeForTerminal(item.title));
      const line = `${margin}${style.cyan("●")} ${style.bold(escapeForTerminal(item.name))} ${title}`;
      this.#page.note(clip(line, this.#columns), "call");
      if (hasNewMark(item, shown)) this.#showMark(item, shown);
    }
    if (!isOver(item) || !item.payload) return;
    shown.over = true;
    const failed = item.status !== "complete";
    const text = escapeForTerminal(outputText(item.payload)).trimEnd();
    const told = text === "" && failed ? item.status : text;
    if (told === "") return;
    const paint = failed ? style.red : style.dim;
    const lines = excerpt(told.split("\n"), 5, 3).map((line, i) =>
      paint(clip(`${margin}${i === 0 ? "  ⎿ " : "    "}${line}`, this.#columns)),
    );
    this.#page.note(lines.join("\n"), "call");
  }

  /** That a hook allowed the call in the person's place, or had another input run, and which. */
  #showMark(item: MarkedCall, shown: Shown): void {
    const { bold, yellow } = this.#options.style;
    const margin = item.parent === undefined ? "" : "    ";
    // A mark that comes late stands apart from its call, and says which one is meant.
    const call = shown.over
      ? `${escapeForTerminal(item.name)} ${escapeForTerminal(item.title)}: `
      : "";
    shown.marked = true;
    const [first = "", ...more] = markText(item.mark);
    const lines = [
      `${oneLine(call)}${escapeForTerminal(first)}`,
      ...more.map((line) => escapeForTerminal(line)),
    ];
    const text = lines.map((line, i) =>
      hang(line, `${margin}${i === 0 ? "  ⚠ " : "    "}`, this.#columns),
    );
    this.#page.note(yellow(bold(text.join("\n"))), "call");
  }

  #showWhole(item: Item): void {
    const { style } = this.#options;
    const lines = itemText(item).filter((line) => line.trim() !== "");
    if (lines.length === 0) return;
    const paint =
      item.kind === "prompt"
        ? style.bold
        : item.kind === "turn-end" && item.status !== "success"
          ? style.red
          : style.dim;
    for (const line of excerpt(lines, 20, 5)) {
      this.#page.note(paint(hang(line, "", this.#columns)));
    }
  }

  get #columns(): number {
    return columnsOf(this.#options.screen);
  }
}

type MarkedCall = ItemOf<"tool"> & { readonly mark: NonNullable<ItemOf<"tool">["mark"]> };

function hasNewMark(item: Item, { marked }: Shown): item is MarkedCall {
  return item.kind === "tool" && item.mark !== undefined && marked !== true;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ⏎ ");
}

/** Whether an item will not change any more in a way that is shown. */
function isOver(item: Item): boolean {
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
