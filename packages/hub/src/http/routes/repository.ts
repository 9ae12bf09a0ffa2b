import type { RepositoryRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const repositoryHandlers: Handlers<RepositoryRouteKey> = {
  "GET /api/sessions/:session/repository": ({ engine }, { params }) =>
    engine.changes.readRepository(params.session),
  "GET /api/sessions/:session/worktrees": ({ engine }, { params }) =>
    engine.changes.listWorktrees(params.session),
  "POST /api/sessions/:session/worktrees/merge": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.mergeWorktree(commandId, params.session, body, caller.actor),
  "POST /api/sessions/:session/worktrees/remove": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.removeWorktree(commandId, params.session, body, caller.actor),
  "GET /api/sessions/:session/repository/remote": ({ engine }, { params }) =>
    engine.changes.readRemote(params.session),
  "GET /api/sessions/:session/repository/pull-request": ({ engine }, { params, query }) =>
    engine.changes.readPullRequest(params.session, query),
  "POST /api/sessions/:session/repository/push": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.push(commandId, params.session, body, caller.actor),
  "POST /api/sessions/:session/repository/pull-request": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.createPullRequest(commandId, params.session, body, caller.actor),
  "POST /api/sessions/:session/repository/commit": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.commit(commandId, params.session, body, caller.actor),
  "POST /api/sessions/:session/repository/switch": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.switchBranch(commandId, params.session, body, caller.actor),
  "POST /api/sessions/:session/repository/stash": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.stash(commandId, params.session, body, caller.actor),
  "POST /api/sessions/:session/repository/unstash": (
    { engine },
    { commandId, params, body, caller },
  ) => engine.changes.unstash(commandId, params.session, body, caller.actor),
};
