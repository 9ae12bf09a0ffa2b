import type { ExportFinding } from "@signalbox/api";

type Kind = ExportFinding["kind"];

/** Keys and tokens by the shapes that their issuers give them. */
const KEY_SHAPES: readonly RegExp[] = [
  /\bsk-ant-[A-Za-z0-9_-]{4,}/g,
  /\bsk-(?:proj-|live-|or-)?[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\b(?:sk|pk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /(?<=\/\/[^\s/:@]{1,100}:)[^\s/:@]{4,200}(?=@[\w.-])/g,
  /(?<=(?:api[_-]?key|secret|token|passwd|password)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{8,200}/gi,
];
const EMAIL = /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,24}\b/g;
const HOME = /(?:\/home\/|\/Users\/)[^\s/"'`<>:;,\\)]{1,64}|\/root(?=[/\s"'`]|$)/g;
/** Long texts without a space or a slash, as in paths, in which a key without a known shape may be. */
const CANDIDATE = /[A-Za-z0-9+_=-]{24,512}/g;
const NO_KEY =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64}|(?:toolu|msg|req|srvtoolu|call)_[A-Za-z0-9]+|[A-Za-z_-]+|[a-z0-9]+(?:[-_/][a-z0-9]+)+)$/i;
/** Bits per character from which a text is hardly one that a person or a compiler has written. */
const MIN_ENTROPY = 4.2;
const CONTEXT = 40;
const MAX_FINDINGS = 1000;
const MAX_SHOWN = 120;

interface Match {
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
}

/** Finds what should not leave a machine, and replaces it. The same text is one finding. */
export class Redactor {
  readonly #words: readonly RegExp[];
  readonly #home: string | undefined;
  readonly #excluded: ReadonlySet<string>;
  readonly #findings = new Map<string, ExportFinding>();
  readonly #numbers = new Map<string, number>();

  /** `excluded`: the ids of the findings that a person wants to keep. */
  constructor(options: {
    readonly words: readonly string[];
    readonly home: string | undefined;
    readonly excluded: readonly string[];
  }) {
    this.#words = options.words
      .map((word) => word.trim())
      .filter((word) => word !== "")
      .map((word) => new RegExp(RegExp.escape(word), "gi"));
    this.#home = options.home;
    this.#excluded = new Set(options.excluded);
  }

  get findings(): ExportFinding[] {
    return [...this.#findings.values()];
  }

  redact(text: string): string {
    const matches = this.#find(text);
    if (matches.length === 0) return text;
    let redacted = "";
    let at = 0;
    for (const { kind, from, to } of matches) {
      const found = text.slice(from, to);
      const finding = this.#note(kind, found, text, from, to);
      redacted +=
        text.slice(at, from) + (this.#excluded.has(finding.id) ? found : finding.replacement);
      at = to;
    }
    return redacted + text.slice(at);
  }

  /** All that is found, without what lies in something that was found before. */
  #find(text: string): readonly Match[] {
    const found: Match[] = [];
    const add = (kind: Kind, pattern: RegExp, isOne: (match: string) => boolean = () => true) => {
      for (const { 0: match, index } of text.matchAll(pattern)) {
        const to = index + match.length;
        const isTaken = found.some((other) => index < other.to && other.from < to);
        if (!isTaken && match !== "" && isOne(match)) found.push({ kind, from: index, to });
      }
    };
    for (const word of this.#words) add("word", word);
    for (const shape of KEY_SHAPES) add("key", shape);
    add("email", EMAIL);
    if (this.#home !== undefined && this.#home.length > 1) {
      add("home", new RegExp(`${RegExp.escape(this.#home)}(?=[/\\s"'\`]|$)`, "g"));
    }
    add("home", HOME);
    add("entropy", CANDIDATE, (match) => !NO_KEY.test(match) && isRandom(match));
    return found.toSorted((a, b) => a.from - b.from);
  }

  #note(kind: Kind, found: string, text: string, from: number, to: number): ExportFinding {
    const id = createId(kind, found);
    const known = this.#findings.get(id);
    if (known) {
      const counted = { ...known, count: known.count + 1 };
      this.#findings.set(id, counted);
      return counted;
    }
    const name = kind === "entropy" ? "key" : kind;
    const number = (this.#numbers.get(name) ?? 0) + 1;
    this.#numbers.set(name, number);
    const finding: ExportFinding = {
      id,
      kind,
      text: found.length > MAX_SHOWN ? `${found.slice(0, MAX_SHOWN)}…` : found,
      before: text.slice(Math.max(0, from - CONTEXT), from),
      after: text.slice(to, to + CONTEXT),
      count: 1,
      replacement: createReplacement(name, number),
    };
    if (this.#findings.size < MAX_FINDINGS) this.#findings.set(id, finding);
    return finding;
  }
}

function createReplacement(kind: Exclude<Kind, "entropy">, number: number): string {
  if (kind === "home") return "~";
  if (kind === "email") return `person-${number}@example.invalid`;
  return `[redacted ${kind} ${number}]`;
}

function createId(kind: Kind, text: string): string {
  return new Bun.CryptoHasher("sha256").update(`${kind}\n${text}`).digest("hex").slice(0, 16);
}

/** Whether a text has as much variety as a key: letters of both cases and digits, in no pattern. */
function isRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits >= MIN_ENTROPY;
}
