import { sha256 } from "../sha256.ts";
import { canonicalJson } from "@signalbox/api/proof";

/** The id of an ask, a UUID. The same request of the same run always has the same id. */
export function createAskId(session: string, run: string, requestId: string): string {
  const hex = sha256(`${session}\n${run}\n${requestId}`);
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The hash that a decision refers to. It differs for another session, tool, input or folder. */
export function hashAsk(session: string, tool: string, input: unknown, folder: string): string {
  return sha256(`${session}\n${tool}\n${canonicalJson(input)}\n${folder}`);
}
