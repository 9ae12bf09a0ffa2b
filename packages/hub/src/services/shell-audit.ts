import type { TerminalView } from "@signalbox/api";
import * as z from "zod";
import type { Actor } from "../actor.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, Fence, Store } from "../store/store.ts";

const openShell = z.object({
  id: z.string(),
  session: z.string(),
  runner: z.string(),
  name: z.string(),
  folder: z.string(),
});
type OpenShell = z.infer<typeof openShell>;
type OpenShells = ReadonlyMap<string, OpenShell>;
/** What to store, if anything changes. */
type UpdateShells = (
  open: OpenShells,
) => { readonly open: readonly OpenShell[]; readonly entry: Change } | undefined;

/**
 * Writes the start and the end of every shell to the audit log, each once. Which shells of a runner are open is
 * stored, so that the end of one is noted even if it ended while the hub was away.
 */
export class ShellAudit {
  readonly #store: Store;
  readonly #getFence: (runner: string) => Fence | undefined;
  readonly #starting = new Set<string>();
  /** One change after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, getFence: (runner: string) => Fence | undefined) {
    this.#store = store;
    this.#getFence = getFence;
  }

  /** Until `started` is called, the runner is not expected to list the shell. */
  open(opened: OpenShell, by: Actor): Promise<void> {
    this.#starting.add(opened.id);
    return this.#change(opened.runner, (open) => {
      if (open.has(opened.id)) return undefined;
      const { id: terminal, session, name, folder } = opened;
      const entry = createAuditChange("shell-opened", by, session, { terminal, name, folder });
      return { open: [...open.values(), opened], entry };
    });
  }

  started(id: string): void {
    this.#starting.delete(id);
  }

  end(
    runner: string,
    id: string,
    facts: Readonly<Record<string, unknown>>,
    by: Actor | null = null,
  ): Promise<void> {
    return this.#change(runner, (open) => {
      const shell = open.get(id);
      if (!shell) return undefined;
      const { session, name } = shell;
      const entry = createAuditChange("shell-ended", by, session, { terminal: id, name, ...facts });
      return { open: [...open.values()].filter((each) => each !== shell), entry };
    });
  }

  /** A shell that its runner lists as ended, or does not list any more, is over. */
  async onTerminals(runner: string, terminals: readonly TerminalView[]): Promise<void> {
    const views = new Map(terminals.map((view) => [view.id, view]));
    for (const { id } of (await this.#load(runner)).values()) {
      if (this.#starting.has(id)) continue;
      const view = views.get(id);
      if (view && !view.end) continue;
      const { exitCode = null, signal = null } = view?.end ?? {};
      await this.end(runner, id, { exitCode, signal });
    }
  }

  /** Read anew each time: while the runner was connected to another hub, that hub has written it. */
  async #load(runner: string): Promise<OpenShells> {
    const stored = await this.#store.setting(getKey(runner));
    const shells = stored === undefined ? [] : z.array(openShell).parse(JSON.parse(stored));
    return new Map(shells.map((shell) => [shell.id, shell]));
  }

  #change(runner: string, update: UpdateShells): Promise<void> {
    const done = this.#last.then(() => this.#applyUpdate(runner, update));
    this.#last = done.catch(() => {});
    return done;
  }

  async #applyUpdate(runner: string, update: UpdateShells): Promise<void> {
    const updated = update(await this.#load(runner));
    if (!updated) return;
    const value = JSON.stringify(updated.open);
    const setting: Change = { kind: "setting", key: getKey(runner), value };
    await this.#store.commit([setting, updated.entry], this.#getFence(runner));
  }
}

function getKey(runner: string): string {
  return `open-shells.${runner}`;
}
