export interface OutputStreams {
  /** Writes a part of the answer. */
  readonly answer: (text: string) => void;
  /** Writes everything else: thoughts, tools, notes. */
  readonly note: (text: string) => void;
  /** Whether both streams are on one terminal. Only then blank lines separate the sections. */
  readonly sharesScreen: boolean;
}
type Section = "answer" | "thought" | "call" | "note";

/** Writes sections one below the other; some of them grow word by word. */
export class OutputWriter {
  readonly #streams: OutputStreams;
  #open: "answer" | "thought" | undefined;
  #last: Section | undefined;
  #answered = false;

  constructor(streams: OutputStreams) {
    this.#streams = streams;
  }

  /** Writes separate lines. A blank line separates a call from everything except other calls. */
  note(text: string, section: "call" | "note" = "note"): void {
    this.closeLine();
    const afterText = this.#last === "answer" || this.#last === "thought";
    const afterNote = section === "call" && this.#last === "note";
    if (this.#streams.sharesScreen && (afterText || afterNote)) this.#streams.note("\n");
    // A note between a call and its result belongs to both.
    if (section === "call" || this.#last !== "call") this.#last = section;
    this.#streams.note(`${text}\n`);
  }

  /** Continues the answer or the thought that is being written, or starts one. */
  append(to: "answer" | "thought", text: string, paint = (text: string) => text): void {
    if (text === "") return;
    const { answer, note } = this.#streams;
    const begins = this.#open !== to;
    if (begins) this.#startSection(to);
    if (to === "answer") answer(paint(text));
    else note(paint(begins ? `✻ ${text}` : text));
    this.#open = to;
  }

  closeLine(): void {
    if (this.#open === "answer") this.#streams.answer("\n");
    if (this.#open === "thought") this.#streams.note("\n");
    this.#open = undefined;
  }

  /** Starts a section. Parts of the answer are separate paragraphs, even if nothing else is on their stream. */
  #startSection(section: "answer" | "thought"): void {
    this.closeLine();
    const { answer, note, sharesScreen: oneScreen } = this.#streams;
    if (section === "answer" && this.#answered) answer("\n");
    else if (oneScreen && this.#last !== undefined) note("\n");
    if (section === "answer") this.#answered = true;
    this.#last = section;
  }
}
