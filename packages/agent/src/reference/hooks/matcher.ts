/** What a tool was called before, where hooks may still name it so. */
const formerNames: Readonly<Record<string, string>> = { Agent: "Task" };

/** No matcher and `*` fit all, and so does any where there is nothing to compare it with; names stand between bars or commas; anything else is a regular expression. */
export function matches(matcher: string | undefined, subject: string | undefined): boolean {
  const wanted = matcher?.trim() ?? "";
  if (subject === undefined || wanted === "" || wanted === "*") return true;
  const former = formerNames[subject];
  const names = former === undefined ? [subject] : [subject, former];
  if (/^[\w\s|,-]+$/.test(wanted)) {
    const listed = new Set(wanted.split(/[|,]/).map((name) => name.trim()));
    return names.some((name) => listed.has(name));
  }
  try {
    const pattern = new RegExp(wanted);
    return names.some((name) => pattern.test(name));
  } catch {
    return false;
  }
}
