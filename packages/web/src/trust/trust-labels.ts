import type { FolderFinding, SessionTrust } from "@signalbox/api";
import { strings } from "../strings/strings.ts";
import { lookup } from "../text/lookup.ts";

const text = strings.trust;

export function findingLabel({ kind }: Pick<FolderFinding, "kind">): string {
  return lookup(text.kinds, kind) ?? kind;
}

/** The heading of the notice. Undefined if there is nothing to show. */
export function trustHeading(state: SessionTrust["state"]): string | undefined {
  return state === "trusted" ? undefined : text.headings[state];
}

/** The findings to show. After a change, only the new ones. */
export function selectFindings(
  state: SessionTrust["state"],
  findings: readonly FolderFinding[],
  untrusted: readonly string[],
): readonly FolderFinding[] {
  return state === "changed" ? findings.filter(({ id }) => untrusted.includes(id)) : findings;
}
