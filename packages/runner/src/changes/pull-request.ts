import type { NewPullRequest, PullRequest, PullRequestPlace } from "@signalbox/api";
import { OrderError } from "../supervise/order-error.ts";
import { chooseTool, type CodeHostTool } from "./code-host.ts";
import { createOnGitHub, readFromGitHub } from "./github.ts";
import { createOnGitLab, readFromGitLab } from "./gitlab.ts";
import { requireRemote } from "./remotes.ts";
import type { RemoteAddress } from "./remote-address.ts";
import type { Repository } from "./repository.ts";

/** Opens a pull request for a branch that has been pushed. */
export async function createPullRequest(
  repository: Repository,
  request: NewPullRequest,
): Promise<PullRequest> {
  const { address, tool } = await requireTool(repository, request);
  const create = tool.name === "gh" ? createOnGitHub : createOnGitLab;
  await create(tool, address, request);
  const made = await read(tool, address, request.branch);
  if (made) return made;
  throw new OrderError("tool-failed", `${tool.name} has opened it, but does not list it yet.`);
}

/** The newest pull request of a branch, with its checks and review comments. */
export async function readPullRequest(
  repository: Repository,
  place: PullRequestPlace,
): Promise<PullRequest | null> {
  const { address, tool } = await requireTool(repository, place);
  return read(tool, address, place.branch);
}

function read(tool: CodeHostTool, address: RemoteAddress, branch: string) {
  return (tool.name === "gh" ? readFromGitHub : readFromGitLab)(tool, address, branch);
}

async function requireTool(repository: Repository, place: PullRequestPlace) {
  const address = await requireRemote(repository, place);
  const tool = chooseTool(address);
  if (tool) return { address, tool };
  const detail = `Neither gh nor glab is installed on that machine for ${address.host}. Install one, sign in, and try again.`;
  throw new OrderError("no-code-host", detail);
}
