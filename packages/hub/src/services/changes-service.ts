import type {
  Comparison,
  FileDiff,
  RevertedChange,
  StagedChange,
  UndoHandle,
  WorkingChanges,
} from "@signalbox/api";
import type { FolderOrder, FolderOrderOfKind } from "@signalbox/api/link";
import type { RouteQuery } from "@signalbox/api/routes";
import type { Sessions } from "../session/sessions.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { Machines } from "./machines.ts";

interface ChangesServiceOptions {
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly allowed: AllowedFolders;
}

/** An order without the folder, which is that of the session. */
type OrderInFolder = FolderOrder extends infer One
  ? One extends FolderOrder
    ? Omit<One, "folder" | "allowed">
    : never
  : never;

/**
 * What has changed in the folders of sessions, and changes of it. Their machines look and act; the hub stores
 * nothing of it.
 */
export class ChangesService {
  readonly #options: ChangesServiceOptions;

  constructor(options: ChangesServiceOptions) {
    this.#options = options;
  }

  list(session: string, name: string): Promise<WorkingChanges> {
    const against = this.#parseComparison(session, name);
    return this.#send(session, { kind: "list-changes", against });
  }

  readDiff(
    session: string,
    query: RouteQuery<"GET /api/sessions/:session/working-changes/file">,
  ): Promise<FileDiff> {
    const { against: name, from, ...rest } = query;
    const against = this.#parseComparison(session, name);
    const renamed = from !== undefined && { from };
    return this.#send(session, { kind: "read-diff", ...rest, against, ...renamed });
  }

  /** `id` is that of the command: sent again, it is not carried out twice. */
  stage(id: string, session: string, change: StagedChange): Promise<void> {
    return this.#send(session, { kind: "stage-change", change }, id);
  }

  unstage(id: string, session: string, change: StagedChange): Promise<void> {
    return this.#send(session, { kind: "unstage-change", change }, id);
  }

  revert(id: string, session: string, reverted: RevertedChange): Promise<UndoHandle> {
    const { against: name, ...change } = reverted;
    const against = this.#parseComparison(session, name);
    return this.#send(session, { kind: "revert-change", against, change }, id);
  }

  undo(id: string, session: string, { undo }: UndoHandle): Promise<void> {
    return this.#send(session, { kind: "undo-revert", undo }, id);
  }

  /** Sends an order about the session's folder. A folder that a driver chose is checked again. */
  async #send<T>(session: string, order: OrderInFolder, id?: string): Promise<T> {
    const { machines, sessions, allowed } = this.#options;
    const { row } = sessions.get(session);
    const { folder, runner } = row;
    const limits = allowed.getSessionLimits(row);
    const whole = { ...order, folder, ...limits } as FolderOrderOfKind<FolderOrder["kind"]>;
    return (await machines.sendOrder(runner, whole, id)) as T;
  }

  /** `name` has been checked against the contract: `start`, `commit:NAME`, or the kind itself. */
  #parseComparison(session: string, name: string): Comparison {
    const { createdAt } = this.#options.sessions.get(session).row;
    if (name === "start") return { kind: "time", at: createdAt };
    if (name === "index" || name === "staged") return { kind: name };
    if (name.startsWith("commit:")) {
      return { kind: "commit", revision: name.slice("commit:".length) };
    }
    return { kind: "head" };
  }
}
