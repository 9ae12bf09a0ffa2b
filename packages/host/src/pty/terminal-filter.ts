/**
 * Removes from a terminal program's output whatever a viewer's terminal must not act on (SECURITY C19):
 * clipboard writes, titles, device control strings, links that are not http(s), and every query, because a
 * viewer that answers a query would type into the program. Text, colors, cursor movement and screen modes
 * pass. Output arrives in pieces, so the filter keeps an unfinished sequence until the rest has come.
 */
export class TerminalFilter {
  #state: State = "text";
  /** The sequence that has begun and is not finished, from its first character on. */
  #sequence = "";
  /** The sequence is longer than any that passes: it is skipped to its end. */
  #tooLong = false;
  /** The character before, inside of a string, was ESC. */
  #escapeInString = false;

  filter(text: string): string {
    let passed = "";
    let at = 0;
    while (at < text.length) {
      if (this.#state === "text") {
        const next = findControl(text, at);
        passed += text.slice(at, next);
        if (next === text.length) break;
        at = next + 1;
        passed += this.#startOrPass(text.charAt(next));
      } else {
        passed += this.#advance(text.charAt(at));
        at += 1;
      }
    }
    return passed;
  }

  /** A control character outside of a sequence: it begins one, passes, or is removed. */
  #startOrPass(control: string): string {
    if (control === ESC) {
      this.#begin("escape", ESC);
      return "";
    }
    return harmlessControls.has(control) ? control : "";
  }

  #begin(state: State, sequence: string): void {
    this.#state = state;
    this.#sequence = sequence;
    this.#tooLong = false;
    this.#escapeInString = false;
  }

  /** Takes one character of a sequence, and returns the whole sequence when it is complete and may pass. */
  #advance(character: string): string {
    if (character === ESC && this.#state !== "string") {
      this.#begin("escape", ESC); // a new sequence cancels the one before
      return "";
    }
    if (character === CAN || character === SUB) return this.#finish(false);
    if (isC1(character) && character !== STRING_TERMINATOR) {
      // Terminals end every sequence at a C1 control and begin the one that it stands for.
      this.#finish(false);
      return this.#startOrPass(character);
    }
    if (this.#sequence.length < MAX_SEQUENCE) this.#sequence += character;
    else this.#tooLong = true;
    switch (this.#state) {
      case "escape":
        return this.#onEscape(character);
      case "charset":
        return this.#onCharset(character);
      case "csi":
        return this.#onCsi(character);
      case "string":
        return this.#onString(character);
      case "text":
        return "";
      default:
        return this.#state satisfies never;
    }
  }

  #onEscape(character: string): string {
    if (character === "[") this.#state = "csi";
    else if ("]PX^_".includes(character)) this.#state = "string";
    else if ("()*+-./".includes(character)) this.#state = "charset";
    else if (character >= " " && character <= "/") this.#state = "charset";
    else return this.#finish(harmlessEscapes.has(character));
    return "";
  }

  /** After an intermediate character: more of them, then one final character. */
  #onCharset(character: string): string {
    if (character >= " " && character <= "/") return "";
    return this.#finish(character >= "0" && character <= "~");
  }

  #onCsi(character: string): string {
    if (character < "@" || character > "~") {
      // Parameters and intermediates go on; another control character would be carried out in the middle.
      return character < " " ? this.#finish(false) : "";
    }
    return this.#finish(mayPassCsi(this.#sequence));
  }

  /** A string ends with BEL, or with ESC and a backslash. ESC and anything else begins a new sequence. */
  #onString(character: string): string {
    const afterEscape = this.#escapeInString;
    this.#escapeInString = character === ESC;
    if (character === BEL || character === STRING_TERMINATOR) {
      return this.#finish(character === BEL && mayPassString(this.#sequence));
    }
    if (!afterEscape) return "";
    if (character === "\\") return this.#finish(mayPassString(this.#sequence));
    this.#begin("escape", ESC);
    return this.#advance(character);
  }

  #finish(passes: boolean): string {
    const sequence = this.#sequence;
    const whole = passes && !this.#tooLong;
    this.#begin("text", "");
    return whole ? sequence : "";
  }
}

type State = "text" | "escape" | "charset" | "csi" | "string";

const ESC = "\u001b";
const BEL = "\u0007";
const CAN = "\u0018";
const SUB = "\u001a";
const STRING_TERMINATOR = "\u009c";
/** Longer than any sequence that may pass. */
const MAX_SEQUENCE = 4096;
const harmlessControls: ReadonlySet<string> = new Set([
  "\b",
  "\t",
  "\n",
  "\v",
  "\f",
  "\r",
  BEL,
  "\u000e",
  "\u000f",
]);

/** Save and restore the cursor, keypad modes, index, next line, tab stop, reverse index, full reset. */
const harmlessEscapes: ReadonlySet<string> = new Set("78=>DEHMNOc".split(""));

/** The final characters of control sequences that move the cursor, erase, insert, scroll and color. */
const harmlessFinals: ReadonlySet<string> = new Set("@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu".split(""));

/** Private modes that change the picture or say which keys and mouse events the program wants. */
const harmlessModes: ReadonlySet<number> = new Set([
  1, 3, 4, 5, 6, 7, 8, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016,
  1047, 1048, 1049, 2004, 2026,
]);

function mayPassCsi(sequence: string): boolean {
  const final = sequence.at(-1) ?? "";
  const parameters = sequence.slice(2, -1);
  if (final === "q") return /^[0-6]? $/.test(parameters); // the cursor's shape
  if (final === "p") return parameters === "!"; // soft reset
  if (!harmlessFinals.has(final)) return false;
  if (final === "h" || final === "l") return hasHarmlessModes(parameters);
  // A private prefix or an intermediate character gives the letter another meaning, often a query.
  if (final === "J" || final === "K") return /^\??[\d;]*$/.test(parameters);
  return /^[\d;:]*$/.test(parameters);
}

function hasHarmlessModes(parameters: string): boolean {
  if (/^[\d;]*$/.test(parameters)) return true; // insert mode and the like
  if (!/^\?[\d;]+$/.test(parameters)) return false;
  return parameters
    .slice(1)
    .split(";")
    .every((mode) => harmlessModes.has(Number(mode)));
}

/** Of all strings only links pass, and only those to the web, without any control character. */
function mayPassString(sequence: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the characters that end a string
  const body = sequence.slice(2).replace(/(?:\u0007|\u001b\\)$/, "");
  return sequence.startsWith(`${ESC}]`) && link.test(body);
}
const link =
  // oxlint-disable-next-line no-control-regex -- a terminal leaves the string at a control character
  /^8;[^;\u0000-\u001f\u007f-\u009f]*;(?:https?:\/\/[^\s\u0000-\u001f\u007f-\u009f]+)?$/i;

function isC1(character: string): boolean {
  return character >= "\u0080" && character <= "\u009f";
}

/** The next character that is not plain text: C0 controls, DEL, and C1 controls, which also begin sequences. */
function findControl(text: string, from: number): number {
  control.lastIndex = from;
  return control.exec(text)?.index ?? text.length;
}
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/g;
