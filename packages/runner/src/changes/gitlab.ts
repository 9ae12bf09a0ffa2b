import type { NewPullRequest, PullRequest, ReviewComment } from "@signalbox/api";
import * as z from "zod";
import { type CodeHostTool, runTool } from "./code-host.ts";
import { parseTool, toLink, toShownText, toTime } from "./tool-output.ts";
import type { RemoteAddress } from "./remote-address.ts";

const MAX_COMMENTS = 200;

const listed = z.array(
  z.looseObject({
    iid: z.number(),
    title: z.string(),
    web_url: z.string(),
    state: z.string(),
    draft: z.boolean().optional(),
    target_branch: z.string(),
  }),
);
const pipelines = z.array(z.looseObject({ id: z.number() }));
const jobs = z.array(
  z.looseObject({ name: z.string(), status: z.string(), web_url: z.string().nullish() }),
);
const discussions = z.array(
  z.looseObject({
    notes: z.array(
      z.looseObject({
        body: z.string(),
        system: z.boolean().optional(),
        author: z.looseObject({ username: z.string() }).nullish(),
        created_at: z.string().nullish(),
        position: z
          .looseObject({
            new_path: z.string().nullish(),
            new_line: z.number().nullish(),
            old_line: z.number().nullish(),
          })
          .nullish(),
      }),
    ),
  }),
);

export async function createOnGitLab(
  tool: CodeHostTool,
  { host, repository }: RemoteAddress,
  { branch, base, title, body, draft }: NewPullRequest,
): Promise<void> {
  await runTool(tool, [
    "mr",
    "create",
    `--repo=https://${host}/${repository}`,
    `--source-branch=${branch}`,
    `--target-branch=${base}`,
    `--title=${title}`,
    `--description=${body}`,
    "--yes",
    ...(draft ? ["--draft"] : []),
  ]);
}

export async function readFromGitLab(
  tool: CodeHostTool,
  { host, repository }: RemoteAddress,
  branch: string,
): Promise<PullRequest | null> {
  const ask = async <T extends z.ZodType>(schema: T, path: string) => {
    const place = `projects/${encodeURIComponent(repository)}/${path}`;
    return parseTool(tool, schema, await runTool(tool, ["api", `--hostname=${host}`, place]));
  };
  const query = `source_branch=${encodeURIComponent(branch)}&order_by=created_at&per_page=1`;
  const [found] = await ask(listed, `merge_requests?${query}`);
  if (!found) return null;
  const one = `merge_requests/${found.iid}`;
  const [pipeline] = await ask(pipelines, `${one}/pipelines?per_page=1`);
  const checks = pipeline ? await ask(jobs, `pipelines/${pipeline.id}/jobs?per_page=100`) : [];
  const threads = await ask(discussions, `${one}/discussions?per_page=100`);
  const comments = threads
    .flatMap(({ notes }) => notes)
    .filter(({ system }) => system !== true)
    .map((note): ReviewComment => ({
      author: note.author?.username ?? "(unknown)",
      at: toTime(note.created_at),
      text: toShownText(note.body),
      path: note.position?.new_path ?? null,
      line: note.position?.new_line ?? note.position?.old_line ?? null,
      hunk: null,
      url: null,
    }));
  return {
    number: found.iid,
    title: found.title,
    url: toLink(found.web_url) ?? "",
    state: found.state === "merged" ? "merged" : found.state === "opened" ? "open" : "closed",
    draft: found.draft ?? false,
    base: found.target_branch,
    decision: null,
    checks: checks.map((job) => ({
      name: job.name,
      state: readJob(job.status),
      url: toLink(job.web_url),
    })),
    comments: comments.filter(({ text }) => text !== "").slice(-MAX_COMMENTS),
  };
}

function readJob(status: string): PullRequest["checks"][number]["state"] {
  if (status === "success") return "passed";
  if (status === "failed") return "failed";
  return /^(?:skipped|canceled|manual)$/.test(status) ? "skipped" : "pending";
}
