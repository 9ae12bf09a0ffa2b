import { decode, type Decoded, type Line, lineText } from "@signalbox/protocol";
import { READABLE } from "@signalbox/host/asks";

const PREVIEW_CHARACTERS = 2048;
/** How many characters a line may have around its message's text. */
const ENVELOPE_CHARACTERS = 4096;
/** How many characters JSON may need to escape one. */
const MAX_ESCAPED_CHARACTERS = 6;

/** Decodes a line. `characters` is the length of a line of which only the beginning is at hand. */
export function decodeLine(line: Line, characters?: number | null): Decoded {
  const text = lineText(line);
  const length = characters ?? text.length;
  if (length <= READABLE) return decode(line);
  const why = `a line of ${length} characters, which the log contains and the hub did not parse`;
  const flaws = typeof line === "string" ? {} : { flaws: line.flaws };
  return { kind: "noise", why, raw: `${getPreview(text)}…`, ...flaws };
}

/** The part of a line that is shown when the line is too long to be read. */
export function getPreview(text: string): string {
  return text.slice(0, PREVIEW_CHARACTERS);
}

/** Whether a message is so long that the agent's replay of it will be too long to be read. */
export function isReplayTooLong({ text, images }: { text: string; images: string }): boolean {
  const pictures = JSON.parse(images) as readonly { bytes?: number }[];
  const inBase64 = pictures.reduce((sum, { bytes = 0 }) => sum + Math.ceil(bytes / 3) * 4, 0);
  const room = READABLE - ENVELOPE_CHARACTERS - inBase64;
  if (text.length * MAX_ESCAPED_CHARACTERS <= room) return false;
  return JSON.stringify(text).length > room;
}
