import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import type { TerminalViewer, TerminalWatch } from "@signalbox/client";
import { isMacKeyboard } from "../keys/key-labels.ts";
import { SizeHolder } from "./size-holder.ts";
import { findKeyTarget } from "./terminal-keys.ts";
import { fitGrid, type GridSize, type PixelSize, scaleToFit } from "./terminal-size.ts";
import { readMatchColors, readTheme, watchTheme } from "./terminal-theme.ts";

/** As much as the machine keeps ([TM4]). */
const SCROLL_BACK_LINES = 10_000;
/** What a program is sent when the terminal gains or loses the focus: nobody typed it. */
const FOCUS_REPORTS: ReadonlySet<string> = new Set(["\u001B[I", "\u001B[O"]);

interface TerminalScreenOptions {
  /** The box that the terminal fills. It has no padding of its own. */
  readonly box: HTMLElement;
  readonly mayType: boolean;
  /** Whether this page opened the terminal just now, and so decides its size. */
  readonly isNew: boolean;
  readonly label: string;
  readonly watch: (viewer: TerminalViewer) => TerminalWatch;
  readonly onSize: (size: GridSize) => void;
  readonly onGone: () => void;
  readonly onFind: () => void;
  readonly onMatches: (matches: FoundMatches) => void;
  /** Whether the newest line is in sight. */
  readonly onScroll: (isAtEnd: boolean) => void;
}

export interface FoundMatches {
  /** The current match, from 1; 0 when there is none. */
  readonly at: number;
  readonly count: number;
}

/** A terminal drawn into a box of the page: xterm, its stream, its size and its keys. */
export class TerminalScreen implements Disposable {
  readonly #options: TerminalScreenOptions;
  readonly #terminal: Terminal;
  readonly #search = new SearchAddon();
  readonly #watch: TerminalWatch;
  readonly #holder = new SizeHolder();
  readonly #observer: ResizeObserver;
  readonly #stopTheme: () => void;
  #hasScreen = false;

  constructor(options: TerminalScreenOptions) {
    this.#options = options;
    const { box, mayType, label } = options;
    const { fontFamily } = getComputedStyle(box);
    this.#terminal = new Terminal({
      allowProposedApi: true, // The search add-on marks matches with it.
      cursorBlink: false, // A page at rest draws nothing.
      disableStdin: !mayType,
      fontFamily,
      fontSize: 13,
      lineHeight: 1.25,
      macOptionIsMeta: true,
      scrollback: SCROLL_BACK_LINES,
      theme: readTheme(box),
      linkHandler: { activate: (_event, address) => openLink(address) },
    });
    this.#terminal.loadAddon(this.#search);
    this.#terminal.loadAddon(new WebLinksAddon((_event, address) => openLink(address)));
    this.#terminal.attachCustomKeyEventHandler((event) => this.#onKey(event));
    this.#terminal.open(box);
    this.#terminal.textarea?.setAttribute("aria-label", label);
    this.#terminal.onData((data) => this.#onData(data));
    this.#terminal.onScroll(() => this.#reportScroll());
    this.#terminal.onWriteParsed(() => this.#reportScroll());
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
      options.onMatches({ at: resultIndex + 1, count: resultCount }),
    );
    this.#stopTheme = watchTheme(() => {
      this.#terminal.options.theme = readTheme(box);
    });
    this.#observer = new ResizeObserver(() => this.#layOut());
    this.#observer.observe(box);
    this.#watch = options.watch({
      onSnapshot: ({ cols, rows, text }) => this.#drawSnapshot({ cols, rows }, text),
      onOutput: (text) => this.#write(text),
      onSize: (size) => this.#resized(size),
      onGone: options.onGone,
    });
  }

  focus(): void {
    this.#terminal.focus();
  }

  scrollToEnd(): void {
    this.#terminal.scrollToBottom();
    this.#reportScroll();
  }

  /** Types as if the person had pressed the keys, for keys that a touch keyboard lacks. */
  press(data: string): void {
    this.#terminal.input(data);
  }

  /** An arrow key as the program wants it. */
  pressArrow(letter: "A" | "B"): void {
    const { applicationCursorKeysMode } = this.#terminal.modes;
    this.press(`\u001B${applicationCursorKeysMode ? "O" : "["}${letter}`);
  }

  find(text: string, direction: "next" | "previous"): void {
    const decorations = readMatchColors(this.#options.box);
    if (text === "") return this.endFind();
    if (direction === "next") this.#search.findNext(text, { decorations });
    else this.#search.findPrevious(text, { decorations });
    return undefined;
  }

  endFind(): void {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** The terminal takes the size of this page, as it does when a person types in it. */
  claimSize(): void {
    const size = fitGrid(measureBox(this.#options.box), this.#measureCell());
    if (size && this.#holder.request(size, this.#terminal)) this.#watch.resize(size);
  }

  [Symbol.dispose](): void {
    this.#watch.close();
    this.#observer.disconnect();
    this.#stopTheme();
    this.#terminal.dispose();
  }

  #onKey(event: KeyboardEvent): boolean {
    const target = findKeyTarget(event, isMacKeyboard());
    if (target === "program") return true;
    if (event.type !== "keydown") return false;
    if (target === "find") {
      event.preventDefault();
      this.#options.onFind();
    }
    if (target === "copy") {
      event.preventDefault();
      const selected = this.#terminal.getSelection();
      if (selected !== "") void navigator.clipboard.writeText(selected);
    }
    return false; // The browser pastes by itself, and the page's keys are handled by the page.
  }

  #onData(data: string): void {
    if (!this.#options.mayType) return;
    if (!FOCUS_REPORTS.has(data)) this.claimSize();
    this.#watch.type(data);
  }

  async #drawSnapshot(size: GridSize, text: string): Promise<void> {
    this.#terminal.reset();
    this.#resized(size);
    await this.#write(text);
    const isFirst = !this.#hasScreen;
    this.#hasScreen = true;
    if (isFirst && this.#options.isNew && this.#options.mayType) this.claimSize();
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  #resized(size: GridSize): void {
    this.#holder.changed(size);
    this.#terminal.resize(size.cols, size.rows);
    this.#options.onSize(size);
    this.#scale();
  }

  #layOut(): void {
    if (this.#holder.isHolding) this.claimSize();
    this.#scale();
  }

  /** Makes a terminal of another page's size fit into the box. */
  #scale(): void {
    const { element } = this.#terminal;
    const screen = element?.querySelector<HTMLElement>(".xterm-screen");
    if (!element || !screen) return;
    const size = { width: screen.offsetWidth, height: screen.offsetHeight };
    const scale = scaleToFit(measureBox(this.#options.box), size);
    element.style.transform = scale === 1 ? "" : `scale(${scale})`;
  }

  #measureCell(): PixelSize {
    const screen = this.#terminal.element?.querySelector<HTMLElement>(".xterm-screen");
    const { cols, rows } = this.#terminal;
    return {
      width: (screen?.offsetWidth ?? 0) / cols,
      height: (screen?.offsetHeight ?? 0) / rows,
    };
  }

  #reportScroll(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    this.#options.onScroll(viewportY >= baseY);
  }
}

function measureBox(box: HTMLElement): PixelSize {
  return { width: box.clientWidth, height: box.clientHeight };
}

/** Opens a link that a person clicked. Only addresses of the web are opened. */
function openLink(address: string): void {
  if (!/^https?:\/\//i.test(address)) return;
  window.open(address, "_blank", "noopener,noreferrer");
}
