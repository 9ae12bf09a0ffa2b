/** Something a person looks at and speaks of: where it stands, and its words. */
export interface Mention {
  readonly source: string;
  /** Empty: its name says all there is to say. */
  readonly text: string;
}

/** Sources that are persons. */
export const AGENT_SAID = "your message";
export const PERSON_SAID = "what I said";

/** A mention points at something; what is longer the agent can look up where it stands. */
const MAX_QUOTE_LENGTH = 2000;

/** The source as whoever writes calls it: in what is sent, "I" is the person and "you" the agent. */
export function displaySource(source: string): string {
  if (source === AGENT_SAID) return "the agent's message";
  return source === PERSON_SAID ? "what you said" : source;
}

/** What is sent: the mentions as fenced quotes with their sources, then what was written. */
export function withMentions(text: string, mentions: readonly Mention[]): string {
  if (mentions.length === 0) return text;
  const quotes = mentions.map(formatQuote).join("\n\n");
  // A command is one only at the very start.
  return text.startsWith("/") ? `${text}\n\n${quotes}` : `${quotes}\n\n${text}`;
}

function formatQuote({ source, text }: Mention): string {
  if (text === "") return `About ${source}.`;
  const short = truncateQuote(text.trimEnd());
  const fence = fenceFor(short);
  return `About ${source}:\n${fence}\n${short}\n${fence}`;
}

/** Longer than any row of backticks inside, so that nothing in a quote can end it. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, row) => Math.max(most, row.length), 2);
  return "`".repeat(longest + 1);
}

function truncateQuote(text: string): string {
  if (text.length <= MAX_QUOTE_LENGTH) return text;
  const half = MAX_QUOTE_LENGTH / 2;
  return `${text.slice(0, half)}\n… (${text.length - MAX_QUOTE_LENGTH} characters left out)\n${text.slice(-half)}`;
}

/** With one more; the same one twice is once. */
export function addMention(held: readonly Mention[], one: Mention): readonly Mention[] {
  const there = held.some(({ source, text }) => source === one.source && text === one.text);
  return there ? held : [...held, one];
}
