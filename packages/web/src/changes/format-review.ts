import { findLanguageByFile } from "../code/highlight/detect-language.ts";
import { strings } from "../strings/strings.ts";
import type { ReviewComment } from "./review-comment.ts";

const text = strings.changes.review;

/** Of longer code the first lines are quoted. */
const MAX_LINES = 40;

/** All comments of a review as one message: the file, the lines, the code, and what is said about it. */
export function formatReview(comments: readonly ReviewComment[]): string {
  const parts = comments.map((comment, at) => `${at + 1}. ${formatComment(comment)}`);
  return [text.message(comments.length), ...parts].join("\n\n");
}

function formatComment(comment: ReviewComment): string {
  const { path, code, text: said } = comment;
  const place = `\`${path}\`${describeLines(comment)}`;
  if (code === "") return `${place}\n\n${said.trim()}`;
  const lines = code.split("\n");
  const rest = lines.length - MAX_LINES;
  const quoted = [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [text.moreLines(rest)] : [])];
  const fence = makeFence(code);
  const language = findLanguageByFile(path) ?? "";
  return `${place}\n\n${fence}${language}\n${quoted.join("\n")}\n${fence}\n\n${said.trim()}`;
}

function describeLines({ lines, side }: ReviewComment): string {
  if (!lines) return "";
  const { first, last } = lines;
  const named = first === last ? text.atLine(first) : text.atLines(first, last);
  return `, ${named}${side === "old" ? ` ${text.removed}` : ""}`;
}

/** A fence that is longer than any in the code. */
function makeFence(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(longest + 1);
}
