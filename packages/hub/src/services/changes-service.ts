import type { Comparison, FileDiff, WorkingChanges } from "@signalbox/api";
import type { RouteQuery } from "@signalbox/api/routes";
import { isLimitedToAllowedFolders } from "../session/driver-limits.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { Machines } from "./machines.ts";

interface ChangesServiceOptions {
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly allowed: AllowedFolders;
}

/** What has changed in the folders of sessions. Their machines look; the hub stores nothing of it. */
export class ChangesService {
  readonly #options: ChangesServiceOptions;

  constructor(options: ChangesServiceOptions) {
    this.#options = options;
  }

  list(session: string, against: string): Promise<WorkingChanges> {
    const { runner, place } = this.#locate(session, against);
    return this.#send(runner, { kind: "list-changes", ...place });
  }

  readDiff(
    session: string,
    query: RouteQuery<"GET /api/sessions/:session/working-changes/file">,
  ): Promise<FileDiff> {
    const { against, from, ...rest } = query;
    const { runner, place } = this.#locate(session, against);
    const order = { kind: "read-diff", ...place, ...rest, ...(from !== undefined && { from }) };
    return this.#send(runner, order as Parameters<Machines["sendOrder"]>[1]);
  }

  /** The folder and what it is compared with. A folder that a driver chose is checked again. */
  #locate(session: string, name: string) {
    const { sessions, allowed } = this.#options;
    const { row } = sessions.get(session);
    const { folder, runner, createdAt } = row;
    const limits = isLimitedToAllowedFolders(row) ? { allowed: [...allowed.list(runner)] } : {};
    return { runner, place: { folder, against: parseComparison(name, createdAt), ...limits } };
  }

  async #send<T>(runner: string, order: Parameters<Machines["sendOrder"]>[1]): Promise<T> {
    return (await this.#options.machines.sendOrder(runner, order)) as T;
  }
}

/** `name` has been checked against the contract: `start`, `commit:NAME`, or the kind itself. */
function parseComparison(name: string, startedAt: number): Comparison {
  if (name === "start") return { kind: "time", at: startedAt };
  if (name === "index" || name === "staged") return { kind: name };
  if (name.startsWith("commit:")) return { kind: "commit", revision: name.slice("commit:".length) };
  return { kind: "head" };
}
