import type { TerminalView } from "@signalbox/api";
import * as z from "zod";
import type { Actor } from "../actor.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";

const SETTING = "open-shells";
const openShell = z.object({
  id: z.string(),
  session: z.string(),
  runner: z.string(),
  name: z.string(),
  folder: z.string(),
});
type OpenShell = z.infer<typeof openShell>;

/**
 * Writes the start and the end of every shell to the audit log, each once. Which shells are open is stored, so
 * that the end of one is noted even if it ended while the hub was away.
 */
export class ShellAudit {
  readonly #store: Store;
  readonly #starting = new Set<string>();
  #open: Map<string, OpenShell> | undefined;
  /** One change after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Until `started` is called, the runner is not expected to list the shell. */
  open(opened: OpenShell, by: Actor): Promise<void> {
    this.#starting.add(opened.id);
    return this.#change(async (open) => {
      if (open.has(opened.id)) return;
      open.set(opened.id, opened);
      const { id: terminal, session, name, folder } = opened;
      const entry = createAuditChange("shell-opened", by, session, { terminal, name, folder });
      await this.#store.commit([this.#toSetting(open), entry]);
    });
  }

  started(id: string): void {
    this.#starting.delete(id);
  }

  end(
    id: string,
    facts: Readonly<Record<string, unknown>>,
    by: Actor | null = null,
  ): Promise<void> {
    return this.#change(async (open) => {
      const shell = open.get(id);
      if (!shell) return;
      open.delete(id);
      const { session, name } = shell;
      const entry = createAuditChange("shell-ended", by, session, { terminal: id, name, ...facts });
      await this.#store.commit([this.#toSetting(open), entry]);
    });
  }

  /** A shell that its runner lists as ended, or does not list any more, is over. */
  async onTerminals(runner: string, terminals: readonly TerminalView[]): Promise<void> {
    const views = new Map(terminals.map((view) => [view.id, view]));
    const open = await this.#load();
    for (const shell of open.values()) {
      if (shell.runner !== runner || this.#starting.has(shell.id)) continue;
      const view = views.get(shell.id);
      if (view && !view.end) continue;
      const { exitCode = null, signal = null } = view?.end ?? {};
      await this.end(shell.id, { exitCode, signal });
    }
  }

  async #load(): Promise<Map<string, OpenShell>> {
    if (this.#open) return this.#open;
    const stored = await this.#store.setting(SETTING);
    const shells = stored === undefined ? [] : z.array(openShell).parse(JSON.parse(stored));
    return (this.#open ??= new Map(shells.map((shell) => [shell.id, shell])));
  }

  #change(work: (open: Map<string, OpenShell>) => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => work(await this.#load()));
    this.#last = done.catch(() => {});
    return done;
  }

  #toSetting(open: ReadonlyMap<string, OpenShell>) {
    const value = JSON.stringify([...open.values()]);
    return { kind: "setting", key: SETTING, value } as const;
  }
}
