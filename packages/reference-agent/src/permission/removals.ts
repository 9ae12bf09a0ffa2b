import { dirname } from "node:path";
import type { EveryCommand } from "./every-command.ts";
import { absolute, isInside } from "../files/paths.ts";
import { SUBSTITUTED } from "./shell-tokens.ts";
import type { PermissionSettings } from "./state.ts";
import { neverAllowed, type Verdict } from "./verdict.ts";

/**
 * Why a removal is dangerous, in Claude Code's words: briefly, and for when no person can be asked.
 */
interface Danger {
  readonly short: string;
  readonly long: string;
}

const CONSENT = "This requires explicit approval and cannot be auto-allowed by permission rules.";

/**
 * Requires a question before removing a home folder, a system folder or the working folder,
 * whatever is allowed; also for a line that may do so in another interpretation.
 */
export function judgeRemovals(
  state: PermissionSettings,
  { commands, doubt }: EveryCommand,
  folder: string,
): Verdict | undefined {
  const moves = commands.some(({ words }) => words[0] === "cd");
  for (const { words } of commands) {
    const [name = "", ...rest] = words;
    if (name !== "rm" && name !== "rmdir") continue;
    for (const target of rest.filter((word) => !word.startsWith("-"))) {
      const danger = getDanger(state, target, { folder, moves });
      if (danger) {
        return askAbout({
          short: `Dangerous ${name} operation on ${danger.short}`,
          long: `Dangerous ${name} operation detected${danger.long}`,
        });
      }
    }
  }
  return doubt === "ambiguous" ? askAbout(notRuledOut) : undefined;
}

function askAbout({ short, long }: Danger): Verdict {
  return {
    behavior: "ask",
    reason: "safetyCheck",
    reasonText: short,
    unasked: long,
    suggestions: [],
    fields: neverAllowed,
    firm: true,
  };
}

const notRuledOut: Danger = {
  short:
    "Dangerous rm operation not ruled out — the shell may read this command differently than it was parsed",
  long: "This command could not be checked for dangerous rm operations: the shell may read it differently than it was parsed. This requires explicit approval.",
};

function getDanger(
  { home, folders }: PermissionSettings,
  given: string,
  { folder, moves }: { folder: string; moves: boolean },
): Danger | undefined {
  if (given.includes(SUBSTITUTED)) return substituted;
  const target = given.replace(/^(?:~|\$HOME)(?=\/|$)/, home);
  if (/^(?:\$\w+)+\/(?:\$\w+|[/*])*$/.test(target)) return createEmptyVariableDanger(given);
  const isAll = /(?:^|\/)\*$/.test(target);
  const base = absolute(isAll ? target.slice(0, -1) || "." : target, folder, home);
  const shown = target.startsWith("/") ? target : `${base}${isAll ? "/*" : ""}`;
  const danger = (what: string, why: string): Danger => ({
    short: `${what}: ${shown}`,
    long: `: '${shown}'\n\nThis command ${why}. ${CONSENT}`,
  });
  if (base === "/" || dirname(base) === "/" || base === home) {
    return danger("critical path", "would remove a critical system directory");
  }
  if (moves && isAll && !target.startsWith("/")) {
    return danger(
      "statically-unresolvable target",
      "changes directories before the removal, so the relative glob target cannot be statically resolved",
    );
  }
  if ([...folders, folder].some((one) => isInside(one, base))) {
    return danger(
      "working directory or its ancestor",
      "would remove a workspace directory (the working directory, an additional working directory, or one of their parent directories)",
    );
  }
  return undefined;
}

const substituted: Danger = {
  short: "statically-unresolvable target: command substitution output",
  long: `: the target is the output of a command substitution (\`$(...)\` or backticks) and cannot be checked before the command runs. ${CONSENT}\n\nRun the substitution on its own first, then remove the literal paths it prints.`,
};

function createEmptyVariableDanger(target: string): Danger {
  const names = [...target.matchAll(/\$\w+/g)].map(([name]) => name).join(" or ");
  return {
    short: `possibly-empty variable path: ${target}`,
    long: `. The target '${target}' is a shell variable expansion: when ${names} is unset or empty it becomes \`/\`, \`/*\` or a top-level path. ${CONSENT}`,
  };
}
