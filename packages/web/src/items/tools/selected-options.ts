/** The options that an answer names, and the rest, which is the person's own text. */
interface SelectedOptions {
  readonly labels: ReadonlySet<string>;
  readonly otherText: string;
}

/** Finds the selected options in an answer. Several are joined by commas, which labels may contain as well. */
export function matchSelectedOptions(
  answer: string | undefined,
  labels: readonly string[],
): SelectedOptions {
  const chosen = new Set<string>();
  let rest = (answer ?? "").trim();
  const longestFirst = labels
    .filter((label) => label !== "")
    .toSorted((a, b) => b.length - a.length);
  for (let found = true; found && rest !== "";) {
    found = false;
    for (const label of longestFirst) {
      if (rest === label || rest.startsWith(`${label},`)) {
        chosen.add(label);
        rest = rest.slice(label.length).replace(/^,\s*/, "");
        found = true;
        break;
      }
    }
  }
  return { labels: chosen, otherText: rest };
}
