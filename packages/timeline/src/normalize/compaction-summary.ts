/**
 * After a compaction the agent writes a summary, between sentences that tell the model what it is
 * and what to do next.
 */
const HEAD = /^This session is being continued from a previous conversation/;
const TAIL = /\n\nIf you need specific details from before compaction[\s\S]*$/;
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>\n?/g;

/** Only 2.1.325 marks this message as synthetic. */
export function isSummary(content: string): boolean {
  return HEAD.test(content);
}

export function extractSummary(content: string): string {
  const body = content.replaceAll(REMINDER, "").replace(TAIL, "");
  const at = body.indexOf("Summary:\n");
  return (at === -1 ? body : body.slice(at + "Summary:\n".length)).trim();
}
