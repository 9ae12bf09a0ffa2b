import type { SessionColor } from "@signalbox/api";
import { sessionColor } from "@signalbox/api/schemas";

/** The default color of a session, which is always the same for the same id. */
export function pickColor(id: string): SessionColor {
  const { options } = sessionColor;
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return options[sum % options.length] as SessionColor;
}
