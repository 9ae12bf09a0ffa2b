export interface OutputStreams {
  /** The answer. */
  readonly answer: (text: string) => void;
  /** Everything around it: thoughts, tools, what happened. */
  readonly note: (text: string) => void;
  /** Whether both are read on one screen; only then blank lines set them apart. */
  readonly sharesScreen: boolean;
}
type Section = "answer" | "thought" | "call" | "note";

/** Puts sections one under the other, some of them growing word by word. */
export class OutputWriter {
  readonly #streams: OutputStreams;
  #open: "answer" | "thought" | undefined;
  #last: Section | undefined;
  #answered = false;

  constructor(streams: OutputStreams) {
    this.#streams = streams;
  }

  /** Lines of their own beside the answer. A call stands apart from all but other calls. */
  note(text: string, section: "call" | "note" = "note"): void {
    this.closeLine();
    const afterText = this.#last === "answer" || this.#last === "thought";
    const afterNote = section === "call" && this.#last === "note";
    if (this.#streams.sharesScreen && (afterText || afterNote)) this.#streams.note("\n");
    // A remark between a call and its result belongs to them.
    if (section === "call" || this.#last !== "call") this.#last = section;
    this.#streams.note(`${text}\n`);
  }

  /** Adds to the answer or the thought that is being written, or begins one. */
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

  /** Parts of the answer are paragraphs, also where nothing else is on their stream. */
  #startSection(section: "answer" | "thought"): void {
    this.closeLine();
    const { answer, note, sharesScreen: oneScreen } = this.#streams;
    if (section === "answer" && this.#answered) answer("\n");
    else if (oneScreen && this.#last !== undefined) note("\n");
    if (section === "answer") this.#answered = true;
    this.#last = section;
  }
}
