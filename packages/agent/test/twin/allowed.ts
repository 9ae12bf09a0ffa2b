import type { Difference } from "./differences.ts";

/** A difference that `docs/spec/agent-differences.md` gives a reason for, by the number it has there. */
export interface Allowed {
  readonly id: string;
  readonly path: RegExp;
}

const offers =
  "tools slash_commands terminal_slash_commands agents skills plugins capabilities".split(" ");
const features =
  "analytics_disabled product_feedback_disabled memory_paths messaging_socket_path fast_mode_disabled_reason fast_mode_state per_turn_effort_active ultrathink_available ultrathink_typed_raises view_mode".split(
    " ",
  );
const ofInit = (fields: readonly string[]) =>
  new RegExp(`^\\.(?:said|yielded)\\[\\d+:system/init\\]\\.(?:${fields.join("|")})\\b`);

export const allowed: readonly Allowed[] = [
  { id: "AD1", path: ofInit(offers) },
  { id: "AD2", path: ofInit(features) },
  { id: "AD3", path: /^\.answered\[\d+:control_response\]\.response\.response\.initialize\b/ },
];

export function isAllowed({ path }: Difference): boolean {
  return allowed.some((one) => one.path.test(path));
}
