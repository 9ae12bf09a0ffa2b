import type { PullRequest } from "@signalbox/api";

/** A message to the agent with what the checks and the review of a pull request say, as it was shown. */
export function formatPullRequestPrompt(request: PullRequest): string {
  const failed = request.checks.filter(({ state }) => state === "failed");
  const parts = [
    `Look at what was said about pull request #${request.number}, "${request.title}" (${request.url}), and fix what is right.`,
    ...(failed.length === 0
      ? []
      : [
          `These checks failed:\n${failed.map(({ name, url }) => `- ${name}${url ? ` (${url})` : ""}`).join("\n")}`,
        ]),
    ...request.comments.map(({ author, path, line, hunk, text }) => {
      const place = path === null ? "" : `, on ${path}${line === null ? "" : `:${line}`}`;
      const code = hunk === null ? "" : `\n${quote(hunk)}\n`;
      return `Comment by ${author}${place}:${code}\n${quote(text)}`;
    }),
  ];
  return parts.join("\n\n");
}

const quote = (text: string) => text.replaceAll(/^/gm, "> ");
