const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

/**
 * Returns the command that others only limit, slow down or protect; undefined if that is not
 * certain. What a rule allows is allowed behind these, too.
 */
export function unwrapCommand(words: readonly string[]): readonly string[] | undefined {
  const inner = getInner(words);
  if (!inner?.[0] || /^-|\s/.test(inner[0])) return undefined;
  return unwrapCommand(inner) ?? inner;
}

function getInner([name, ...rest]: readonly string[]): readonly string[] | undefined {
  switch (name) {
    case "builtin":
    case "command":
    case "nohup":
    case "time":
      return rest;
    case "nice":
      return rest[0] === "-n" && /^-?\d+$/.test(rest[1] ?? "") ? rest.slice(2) : rest;
    case "stdbuf":
      return rest.slice(optionsIn(rest, /^-[ioe](?:L|\d+)$/));
    case "timeout": {
      const bounded = rest.slice(optionsIn(rest, /^(?:--foreground|--preserve-status|-v)$/));
      const [option, value = ""] = bounded;
      const after = option === "-k" && DURATION.test(value) ? bounded.slice(2) : bounded;
      return DURATION.test(after[0] ?? "") ? after.slice(1) : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns how many of the first words are such options. */
function optionsIn(words: readonly string[], option: RegExp): number {
  const end = words.findIndex((word) => !option.test(word));
  return end < 0 ? words.length : end;
}
