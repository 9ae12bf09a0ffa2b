import type { RunFacts, SessionTrust, TrustDecision, TrustState } from "@signalbox/api";
import type { FolderTrustScan } from "@signalbox/runner/supervise";
import * as z from "zod";
import type { Change, Store } from "../store/store.ts";

const SETTING = "trust";

const entrySchema = z.object({
  runner: z.string(),
  /** The folder's real path on that machine. */
  folder: z.string(),
  decision: z.enum(["trusted", "off"]),
  /** The hash of everything that the folder brought when the decision was made. */
  hash: z.string(),
  by: z.string(),
  at: z.number(),
});

/** A change of the registry, to be stored, or to be undone if that fails. */
interface TrustChange {
  readonly changes: readonly Change[];
  readonly undo: () => void;
}

/**
 * What people have decided about folders, by machine and real path, to be shown to people. What takes effect
 * is what the runner of that machine stores itself.
 */
export class TrustRegistry {
  readonly #store: Store;
  #entries: readonly TrustDecision[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async load(): Promise<void> {
    const stored = await this.#store.setting(SETTING);
    const { data } = z.array(entrySchema).safeParse(JSON.parse(stored ?? "[]"));
    this.#entries = data ?? [];
  }

  get decisions(): readonly TrustDecision[] {
    return this.#entries;
  }

  /** The trust in a folder, from what its machine reports and what was decided. */
  getState(runner: string, scan: FolderTrustScan): TrustState {
    if (scan.findings.length === 0) return "none";
    if (scan.untrusted.length === 0) return "trusted";
    const entry = this.#find(runner, scan.folder);
    if (entry?.decision === "trusted") return "changed";
    return entry?.decision === "off" && entry.hash === scan.hash ? "kept-off" : "off";
  }

  /** The trust in a session's folder, from how its newest run was started. */
  getSessionTrust(
    runner: string,
    folder: string,
    run: Pick<RunFacts, "trust" | "startedAt"> | undefined,
  ): SessionTrust | undefined {
    const { state, hash, findings = 0 } = run?.trust ?? {};
    if (state === undefined || state === "none") return undefined;
    const { decision, hash: decided, at = 0 } = this.#find(runner, folder) ?? {};
    const isSame = decided === hash;
    if (state === "trusted") {
      return { state: decision === "off" ? "ends" : "trusted", findings };
    }
    // A run that started before the decision was made does not reflect it.
    const isNew = state === "changed" || at > (run?.startedAt ?? 0);
    if (decision === "trusted") return { state: isSame && isNew ? "restart" : "changed", findings };
    if (state === "changed") return { state, findings };
    return { state: decision === "off" && isSame ? "kept-off" : "off", findings };
  }

  /** Takes effect before it is stored, so that a concurrent decision does not overwrite this one. */
  put(entry: TrustDecision): TrustChange {
    const isSameFolder = ({ runner, folder }: TrustDecision) =>
      runner === entry.runner && folder === entry.folder;
    const before = this.#entries.find(isSameFolder);
    const others = () => this.#entries.filter((one) => !isSameFolder(one));
    this.#entries = [...others(), entry];
    return {
      changes: [{ kind: "setting", key: SETTING, value: JSON.stringify(this.#entries) }],
      undo: () => {
        if (this.#entries.includes(entry)) {
          this.#entries = [...others(), ...(before ? [before] : [])];
        }
      },
    };
  }

  #find(runner: string, folder: string): TrustDecision | undefined {
    return this.#entries.find((one) => one.runner === runner && one.folder === folder);
  }
}
