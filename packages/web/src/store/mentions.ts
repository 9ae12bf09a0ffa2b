import { strings } from "../strings/strings.ts";

const words = strings.mentions;

/** A quote that a message refers to: its source and text. */
export interface Mention {
  readonly source: string;
  /** Empty if the source says everything. */
  readonly text: string;
}

/** Sources that name a person, as written in the message. */
export const AGENT_MESSAGE = words.agentMessage;
export const OWN_MESSAGE = words.ownMessage;

/** Longer quotes are shortened; the agent can look up the rest. */
const MAX_QUOTE_LENGTH = 2000;

/** The source as the person reads it. In the message, "I" is the person and "you" the agent. */
export function displaySource(source: string): string {
  if (source === AGENT_MESSAGE) return words.agentMessageShown;
  return source === OWN_MESSAGE ? words.ownMessageShown : source;
}

/** The message as it is sent: the mentions as fenced quotes, then the text. */
export function withMentions(text: string, mentions: readonly Mention[]): string {
  if (mentions.length === 0) return text;
  const quotes = mentions.map(formatQuote).join("\n\n");
  // A command counts only at the very start.
  return text.startsWith("/") ? `${text}\n\n${quotes}` : `${quotes}\n\n${text}`;
}

function formatQuote({ source, text }: Mention): string {
  if (text === "") return `${words.about(source)}.`;
  const short = truncateQuote(text.trimEnd());
  const fence = fenceFor(short);
  return `${words.about(source)}:\n${fence}\n${short}\n${fence}`;
}

/** A fence longer than any backticks in the text, so that nothing inside can close it. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, row) => Math.max(most, row.length), 2);
  return "`".repeat(longest + 1);
}

function truncateQuote(text: string): string {
  if (text.length <= MAX_QUOTE_LENGTH) return text;
  const half = MAX_QUOTE_LENGTH / 2;
  return `${text.slice(0, half)}\n${words.omitted(text.length - MAX_QUOTE_LENGTH)}\n${text.slice(-half)}`;
}

/** Adds a mention unless it is already there. */
export function addMention(mentions: readonly Mention[], one: Mention): readonly Mention[] {
  const exists = mentions.some(({ source, text }) => source === one.source && text === one.text);
  return exists ? mentions : [...mentions, one];
}
