/** Which of the options an answer names, and what of it is the person's own words. */
interface SelectedOptions {
  readonly labels: ReadonlySet<string>;
  readonly otherText: string;
}

/** Several choices come as one text, with commas between them; labels may hold commas themselves. */
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
