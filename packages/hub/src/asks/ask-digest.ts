import { createHash } from "node:crypto";
import type { AskView } from "@signalbox/api";
import { canonicalJson } from "@signalbox/api/proof";

/** The digest of an open ask, with everything that a person sees of it and can choose. */
export function digestAsk(ask: AskView): string {
  return createHash("sha256").update(canonicalJson(ask)).digest("hex");
}
