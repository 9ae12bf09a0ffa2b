import type { NewPullRequest, PullRequest, ReviewComment } from "@signalbox/api";
import * as z from "zod";
import { type CodeHostTool, runTool } from "./code-host.ts";
import { parseTool, toLink, toShownText, toTime } from "./tool-output.ts";
import type { RemoteAddress } from "./remote-address.ts";

const MAX_COMMENTS = 200;

const author = z.looseObject({ login: z.string() }).nullish();
const checkRun = z.looseObject({
  name: z.string().optional(),
  context: z.string().optional(),
  status: z.string().optional(),
  conclusion: z.string().nullish(),
  state: z.string().optional(),
  detailsUrl: z.string().nullish(),
  targetUrl: z.string().nullish(),
});
const listed = z.array(
  z.looseObject({
    number: z.number(),
    title: z.string(),
    url: z.string(),
    state: z.string(),
    isDraft: z.boolean(),
    baseRefName: z.string(),
    reviewDecision: z.string().nullish(),
    statusCheckRollup: z.array(checkRun).nullish(),
    comments: z
      .array(
        z.looseObject({
          author,
          body: z.string(),
          createdAt: z.string().nullish(),
          url: z.string().nullish(),
        }),
      )
      .nullish(),
    reviews: z
      .array(
        z.looseObject({
          author,
          body: z.string(),
          submittedAt: z.string().nullish(),
          state: z.string(),
        }),
      )
      .nullish(),
  }),
);
const fields = [
  "number",
  "title",
  "url",
  "state",
  "isDraft",
  "baseRefName",
  "reviewDecision",
  "statusCheckRollup",
  "comments",
  "reviews",
].join(",");

const lineComments = z.array(
  z.looseObject({
    user: author,
    body: z.string(),
    path: z.string(),
    line: z.number().nullish(),
    original_line: z.number().nullish(),
    diff_hunk: z.string().nullish(),
    created_at: z.string().nullish(),
    html_url: z.string().nullish(),
  }),
);

export async function createOnGitHub(
  tool: CodeHostTool,
  { host, repository }: RemoteAddress,
  { branch, base, title, body, draft }: NewPullRequest,
): Promise<void> {
  const where = [`--repo=${host}/${repository}`, `--head=${branch}`, `--base=${base}`];
  const what = [`--title=${title}`, "--body-file=-", ...(draft ? ["--draft"] : [])];
  await runTool(tool, ["pr", "create", ...where, ...what], body);
}

export async function readFromGitHub(
  tool: CodeHostTool,
  { host, repository }: RemoteAddress,
  branch: string,
): Promise<PullRequest | null> {
  const where = [`--repo=${host}/${repository}`, `--head=${branch}`, "--state=all", "--limit=1"];
  const printed = await runTool(tool, ["pr", "list", ...where, `--json=${fields}`]);
  const [found] = parseTool(tool, listed, printed);
  if (!found) return null;
  const path = `repos/${repository}/pulls/${found.number}/comments?per_page=100`;
  const onLines = await runTool(tool, ["api", `--hostname=${host}`, path]);
  const comments: ReviewComment[] = [
    ...(found.reviews ?? []).map((one) => ({
      ...createComment(one.author?.login, one.body, one.submittedAt),
      url: null,
    })),
    ...(found.comments ?? []).map((one) => ({
      ...createComment(one.author?.login, one.body, one.createdAt),
      url: toLink(one.url),
    })),
    ...parseTool(tool, lineComments, onLines).map((one) => ({
      ...createComment(one.user?.login, one.body, one.created_at),
      path: one.path,
      line: one.line ?? one.original_line ?? null,
      hunk: toShownText(one.diff_hunk ?? "") || null,
      url: toLink(one.html_url),
    })),
  ];
  return {
    number: found.number,
    title: found.title,
    url: toLink(found.url) ?? "",
    state: found.state === "MERGED" ? "merged" : found.state === "OPEN" ? "open" : "closed",
    draft: found.isDraft,
    base: found.baseRefName,
    decision: decisions[found.reviewDecision ?? ""] ?? null,
    checks: (found.statusCheckRollup ?? []).map((check) => ({
      name: check.name ?? check.context ?? "",
      state: readCheck(check),
      url: toLink(check.detailsUrl ?? check.targetUrl),
    })),
    comments: comments
      .filter(({ text }) => text !== "")
      .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
      .slice(-MAX_COMMENTS),
  };
}

const decisions: Readonly<Record<string, PullRequest["decision"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  REVIEW_REQUIRED: "review-required",
};

/** A check of an app says that it is completed and how; one of the older kind has a state. */
function readCheck({ status, conclusion, state }: z.infer<typeof checkRun>) {
  const end = conclusion || state || "";
  if ((status !== undefined && status !== "COMPLETED") || /PENDING|EXPECTED/.test(end)) {
    return "pending";
  }
  if (/SUCCESS/.test(end)) return "passed";
  return /SKIPPED|NEUTRAL/.test(end) ? "skipped" : "failed";
}

function createComment(login: string | undefined, body: string, at: string | null | undefined) {
  const place = { path: null, line: null, hunk: null };
  return { author: login ?? "(unknown)", at: toTime(at), text: toShownText(body), ...place };
}
