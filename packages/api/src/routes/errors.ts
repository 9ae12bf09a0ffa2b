import type { Route } from "./route.ts";
import { pathParameterNames, splitKey } from "./route.ts";

interface ErrorInfo {
  readonly status: number | readonly number[];
  readonly meaning: string;
}

/**
 * Every error code of the hub, with its status. The field `detail` of the answer explains the case.
 */
export const apiErrors = {
  "agent-dials-in": {
    status: 409,
    meaning: "The session's agent is started elsewhere, with options of its own.",
  },
  "agent-terminal": { status: 409, meaning: "This terminal belongs to a session's agent." },
  "already-answered": { status: 409, meaning: "Somebody else has answered this ask." },
  "already-sent": { status: 409, meaning: "The agent has this message already." },
  "approver-needed": { status: 403, meaning: "This part of the request takes an approver." },
  "askless-flag": {
    status: 422,
    meaning: "An option of the agent would let it act without asking.",
  },
  "askless-mode": { status: 422, meaning: "This mode would let the agent act without asking." },
  "in-trash": { status: 409, meaning: "The session is in the trash." },
  "bad-environment": {
    status: [409, 422],
    meaning: "A folder that the environment names cannot be used.",
  },
  "bad-folder": { status: 422, meaning: "The folder's path cannot be used." },
  "bad-image": { status: 422, meaning: "An image or a PDF cannot be read, or is too large." },
  "bad-input": { status: 400, meaning: "A value in the request cannot be used." },
  "bad-life": { status: 400, meaning: "The agent's connection header is not valid." },
  "bad-package": { status: 422, meaning: "This is not an npm package with an exact version." },
  "bad-path": { status: 422, meaning: "The path cannot be used." },
  "bad-prompt": { status: 422, meaning: "The agent would not accept this message." },
  "bad-request": { status: 422, meaning: "The control request has a wrong field." },
  "bad-upgrade": { status: 400, meaning: "The upgrade to a WebSocket is incomplete." },
  "body-cut": { status: 400, meaning: "The body did not arrive whole." },
  "branch-exists": { status: 409, meaning: "There is already a branch of this name." },
  "branch-in-use": { status: 409, meaning: "The branch is checked out in another folder." },
  "command-id-used": { status: 409, meaning: "The command id was used for another request." },
  "confirmation-needed": {
    status: 422,
    meaning: "The policy autonomous takes `confirmed: true`.",
  },
  "context-with-command": { status: 422, meaning: "A slash command cannot carry context." },
  "embedding-refused": {
    status: 403,
    meaning: "A page of another program may not do this, or not with this device.",
  },
  "empty-prompt": { status: 422, meaning: "The message has neither text nor images." },
  expired: { status: 409, meaning: "The ask expired before it was answered." },
  failure: { status: 500, meaning: "The hub failed. Its log says more." },
  "filter-off": {
    status: 409,
    meaning: "A filter of the repository would have to run on the file.",
  },
  "folder-not-allowed": { status: 403, meaning: "The folder is not below an allowed folder." },
  "git-failed": { status: 409, meaning: "Git could not do it. `detail` holds its words." },
  "hook-failed": { status: 409, meaning: "A hook of the repository refused the commit." },
  "hooks-not-trusted": {
    status: 409,
    meaning: "The hooks of the repository do not run before the folder is trusted.",
  },
  "import-off": { status: 409, meaning: "The import of sessions is switched off." },
  "is-hub": { status: 409, meaning: "A hub listens on that port, not a relay." },
  "lasting-device-needed": {
    status: 403,
    meaning: "A temporarily elevated terminal may not do this.",
  },
  "life-over": { status: 410, meaning: "This agent process has ended." },
  "merge-conflict": { status: 409, meaning: "The branches are in conflict. Nothing was merged." },
  misshapen: { status: 400, meaning: "A field is missing, unknown or wrong. `detail` names it." },
  "name-twice": { status: 422, meaning: "Two entries have the same name." },
  "needs-key": { status: 401, meaning: "The device has to be upgraded to a key." },
  "no-agent": { status: 409, meaning: "No agent is connected." },
  "no-bypass": { status: 422, meaning: "A time limit was given for a policy that has none." },
  "no-code-host": {
    status: 409,
    meaning: "Neither gh nor glab on that machine can open pull requests there.",
  },
  "no-command-id": { status: 400, meaning: "The header with the command id is missing." },
  "no-credential": { status: 401, meaning: "The request is not signed and carries no token." },
  "no-decision": { status: 422, meaning: "The answer holds no decision that can be used." },
  "no-discovery": { status: 404, meaning: "This hub does not look for others." },
  "no-host": { status: 400, meaning: "The Host header is missing." },
  "no-identity": { status: 409, meaning: "Git does not know whose commit it would be." },
  "no-output": { status: 404, meaning: "There is no output." },
  "no-relay": { status: 404, meaning: "The relay is off." },
  "no-relay-there": { status: 409, meaning: "No relay listens on that port." },
  "no-repository": { status: 409, meaning: "The folder has no Git repository that can be used." },
  "no-such-agent": { status: 422, meaning: "The settings have no agent of this name." },
  "no-such-ask": { status: 404, meaning: "No request has this id." },
  "no-such-driver": { status: 422, meaning: "There is no driver of this name." },
  "no-such-effort": { status: 422, meaning: "The agent does not know this effort." },
  "no-such-environment": { status: 422, meaning: "The settings have no environment of this name." },
  "no-such-item": { status: 404, meaning: "The session has no item of this id." },
  "no-such-message": { status: 422, meaning: "The session has no message of this id." },
  "no-such-port": { status: 422, meaning: "That port cannot be used." },
  "no-such-prompt": { status: 404, meaning: "No message of this id waits." },
  "no-such-range": { status: 416, meaning: "The range lies outside the body." },
  "no-such-request": { status: 422, meaning: "The hub does not pass on this control request." },
  "no-such-revision": { status: 404, meaning: "There is no such branch or commit." },
  "no-such-route": { status: 404, meaning: "There is no such route." },
  "no-such-runner": { status: [404, 422], meaning: "There is no runner of this id." },
  "no-such-session": { status: 404, meaning: "There is no session of this id." },
  "no-such-stash": { status: 409, meaning: "The stash is not there any more." },
  "no-such-suggestion": { status: 422, meaning: "The ask has no suggestion at that place." },
  "no-such-terminal": { status: 404, meaning: "There is no terminal of this id." },
  "no-such-undo": { status: 409, meaning: "This revert cannot be undone any more." },
  "no-such-value": { status: 422, meaning: "A variable is to keep a value that it does not have." },
  "no-such-worktree": { status: 409, meaning: "The repository has no such worktree." },
  "not-signed-in": { status: 409, meaning: "Git, gh or glab is not signed in there." },
  "nothing-to-commit": { status: 409, meaning: "There is nothing to commit." },
  "nothing-to-stash": { status: 409, meaning: "There is nothing to set aside." },
  "operation-under-way": {
    status: 409,
    meaning: "A merge, a rebase or the like is under way, or has conflicts.",
  },
  "option-not-supported": {
    status: 422,
    meaning: "The installed version of the agent lacks an option.",
  },
  "no-such-task": { status: 422, meaning: "No background task of this id runs." },
  "not-attached": { status: 409, meaning: "The hub is not attached to that relay." },
  "not-found": { status: 404, meaning: "There is nothing of this id." },
  "not-json": { status: [400, 415], meaning: "The body is not JSON or not declared as such." },
  "not-relayed": { status: 409, meaning: "The session's agent does not connect by itself." },
  "not-running": { status: 409, meaning: "The agent does not run." },
  "not-served": { status: 409, meaning: "The session cannot be served to this client." },
  "not-the-creator": { status: 403, meaning: "Only the creator or an admin may do this." },
  "not-the-proxy": { status: 403, meaning: "Only the declared proxy may connect here." },
  "not-utf-8": { status: 400, meaning: "The body is not UTF-8." },
  "machine-busy": { status: 409, meaning: "The machine has too many requests about its folders." },
  "not-yet": { status: 503, meaning: "The hub is not ready for this yet. Try again." },
  "nothing-asked": { status: [409, 422], meaning: "Nothing is asked." },
  "nothing-to-fork": { status: 409, meaning: "The session has no conversation to copy." },
  "nothing-to-retry": { status: 409, meaning: "The session has no prompt to repeat." },
  "page-too-old": { status: 503, meaning: "The page is older than the hub. Reload it." },
  "policy-forbids": { status: 422, meaning: "The session's policy does not allow this." },
  "prompt-id-used": { status: 409, meaning: "The id belongs to another message." },
  "push-rejected": { status: 409, meaning: "The remote did not take the push. `detail` says why." },
  "repository-busy": { status: 409, meaning: "Another program is using the repository." },
  "role-too-weak": { status: 403, meaning: "The device's role does not allow this." },
  "runner-away": { status: 503, meaning: "The session's machine is not connected." },
  "runner-too-old": { status: 409, meaning: "The runner is too old for this. Update it." },
  "search-off": {
    status: 503,
    meaning: "The search index cannot be used. The hub's log says why.",
  },
  "session-deleted": { status: 410, meaning: "The session was deleted." },
  "session-held": { status: 409, meaning: "Another program holds the session." },
  "shell-failed": { status: 409, meaning: "The shell could not be started." },
  "signature-needed": { status: 403, meaning: "An approver's device has to sign this." },
  "stale-hash": { status: 409, meaning: "What was shown has changed since. Look again." },
  "stale-hooks": {
    status: 409,
    meaning: "The hooks are not the ones that were named. Look again.",
  },
  "stale-hunk": { status: 409, meaning: "The hunk is not there any more. Look again." },
  "stale-proof": { status: 401, meaning: "Signed for an earlier process of the hub. Sign again." },
  "stale-remote": {
    status: 409,
    meaning: "The branch, its commit or the address has changed since it was shown.",
  },
  "stale-undo": { status: 409, meaning: "The file has changed since it was reverted." },
  "stale-worktree": {
    status: 409,
    meaning: "The worktree has changed since it was shown. Look again.",
  },
  "store-failed": { status: 503, meaning: "The hub cannot write to its database." },
  "too-deep": { status: 400, meaning: "The JSON is nested too deeply." },
  "too-large": { status: 413, meaning: "The body is too large." },
  "too-many-guesses": { status: 429, meaning: "Too many wrong credentials within a minute." },
  "too-many-drafts": { status: 409, meaning: "Too many or too long drafts are kept." },
  "too-many-prompts": { status: 409, meaning: "Too many messages wait in this session." },
  "too-many-requests": { status: 429, meaning: "The device sends too many requests." },
  "too-many-sessions": { status: 409, meaning: "The hub has too many sessions." },
  "too-many-terminals": { status: 409, meaning: "The machine has too many terminals." },
  "too-many-streams": { status: 429, meaning: "The device has too many streams open." },
  "too-much-at-once": { status: 429, meaning: "The device sends too much at once." },
  "turn-running": { status: 409, meaning: "The agent is at work." },
  "too-slow": { status: 408, meaning: "The body took too long to arrive." },
  "tool-failed": {
    status: 409,
    meaning: "`gh` or `glab` could not do it. `detail` holds its words.",
  },
  "two-programs": { status: 422, meaning: "An agent has a path or an npm package, not both." },
  "unknown-message": { status: 422, meaning: "The agent does not know this message." },
  "unsaved-work": { status: 409, meaning: "The worktree holds work that is nowhere else." },
  "websocket-needed": { status: 426, meaning: "This path is a WebSocket." },
  "worktree-in-use": { status: 409, meaning: "An agent runs in the worktree." },
  "would-overwrite": {
    status: 409,
    meaning: "Changes that are not committed would be overwritten.",
  },
  "wrong-answer": { status: 422, meaning: "The answers do not fit the questions." },
  "wrong-code": { status: 401, meaning: "The pairing code is wrong, used or too old." },
  "wrong-credential": { status: 401, meaning: "The signature or token belongs to no device." },
  "wrong-decision": { status: 422, meaning: "This decision does not fit this kind of ask." },
  "wrong-digest": { status: 401, meaning: "The body does not match the signature." },
  "wrong-host": { status: 421, meaning: "The hub is not known by this name." },
  "wrong-method": { status: 405, meaning: "The path does not take this method." },
  "wrong-origin": { status: 403, meaning: "The request comes from another page." },
  "wrong-protocol": { status: 400, meaning: "The WebSocket subprotocol is wrong." },
  "written-elsewhere": {
    status: 409,
    meaning: "Claude Code is writing this session elsewhere at the moment.",
  },
  "wrong-signature": { status: 403, meaning: "The signature is not of this device." },
  "wrong-ticket": { status: 401, meaning: "The ticket is wrong, used or too old." },
} as const satisfies Record<string, ErrorInfo>;

export type ErrorCode = keyof typeof apiErrors;

/** An error of a runner reaches the caller with the runner's own code and status 409 or 403. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(apiErrors, code);
}

const commonErrors = [
  "embedding-refused",
  "failure",
  "no-host",
  "not-the-proxy",
  "store-failed",
  "wrong-host",
  "wrong-origin",
] as const;
const credentialErrors = [
  "needs-key",
  "no-credential",
  "page-too-old",
  "role-too-weak",
  "stale-proof",
  "too-many-guesses",
  "too-many-requests",
  "wrong-credential",
  "wrong-digest",
] as const;
const bodyErrors = [
  "bad-input",
  "body-cut",
  "misshapen",
  "not-json",
  "not-utf-8",
  "too-deep",
  "too-large",
  "too-much-at-once",
] as const;

/** Every error code that a route can answer with, except those that a runner defines. */
export function listErrors(key: string, route: Route): ErrorCode[] {
  const { path, method } = splitKey(key);
  const codes = new Set<ErrorCode>([...commonErrors, ...(route.errors ?? [])]);
  const add = (list: readonly ErrorCode[]) => list.forEach((code) => codes.add(code));
  if (route.kind === "open") add(["too-many-guesses", "too-slow"]);
  else add(credentialErrors);
  if (route.kind === "command") add(["no-command-id", "command-id-used", "session-deleted"]);
  if (pathParameterNames(path).length > 0) add(["not-found"]);
  if (method !== "GET") add(bodyErrors);
  if (route.query) add(["misshapen"]);
  return [...codes].toSorted();
}

export function getStatuses(code: ErrorCode): readonly number[] {
  const { status } = apiErrors[code];
  return typeof status === "number" ? [status] : status;
}
