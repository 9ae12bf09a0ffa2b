import type { RunTrust, SessionTrust, TrustDecision, TrustState } from "@signalbox/protocol";
import { type FolderScan, untrustedFindings } from "@signalbox/runner";
import * as z from "zod";
import type { Change, Store } from "../log/store.ts";

const KEY = "trust";

const entrySchema = z.object({
  runner: z.string(),
  /** The folder as it really is, and as it was named. */
  names: z.array(z.string()),
  /** Null: nobody has decided; some rules were allowed for good there. */
  decision: z.enum(["trusted", "off"]).nullable(),
  /** Of everything that the folder brought when it was decided. */
  hash: z.string(),
  /** Ids of the findings that are trusted. */
  trusted: z.array(z.string()),
  /** …and of rules that a person allowed for good in an answer. */
  remembered: z.array(z.string()),
  by: z.string(),
  at: z.number(),
});
type Entry = z.infer<typeof entrySchema>;

/** A change of what is trusted: to be stored, or undone where that fails. */
export interface TrustChange {
  readonly changes: readonly Change[];
  readonly undo: () => void;
}

/** What people have decided about folders, by machine and real path. */
export class TrustBook {
  readonly #store: Store;
  #entries: readonly Entry[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async load(): Promise<void> {
    const stored = await this.#store.setting(KEY);
    if (stored !== undefined) this.#entries = z.array(entrySchema).parse(JSON.parse(stored));
  }

  get decisions(): TrustDecision[] {
    return this.#entries.flatMap(({ runner, names, decision, hash, by, at }) =>
      decision === null ? [] : [{ runner, folder: names[0] ?? "", decision, hash, by, at }],
    );
  }

  /** The ids that a run in this folder is told. */
  trusted(runner: string, folder: string): string[] {
    const { decision, trusted = [], remembered = [] } = this.#find(runner, folder) ?? {};
    return [...(decision === "trusted" ? trusted : []), ...remembered];
  }

  state(runner: string, scan: FolderScan): TrustState {
    if (scan.findings.length === 0) return "none";
    const trusted = new Set(this.trusted(runner, scan.folder));
    if (untrustedFindings(scan, trusted).length === 0) return "trusted";
    const entry = this.#find(runner, scan.folder);
    if (entry?.decision === "trusted") return "changed";
    return entry?.decision === "off" && entry.hash === scan.hash ? "kept-off" : "off";
  }

  /** Of a session, by how its newest run was started. */
  ofSession(runner: string, folder: string, run: RunTrust | undefined): SessionTrust | undefined {
    if (!run || run.state === "none") return undefined;
    const { findings } = run;
    const { decision, hash } = this.#find(runner, folder) ?? {};
    const isSame = hash === run.hash;
    if (run.state === "trusted") {
      return { state: decision === "off" ? "ends" : "trusted", findings };
    }
    if (decision === "trusted") return { state: isSame ? "restart" : "changed", findings };
    if (run.state === "changed") return { state: "changed", findings };
    return { state: decision === "off" && isSame ? "kept-off" : "off", findings };
  }

  decide(
    runner: string,
    named: string,
    scan: FolderScan,
    decision: "trusted" | "off",
    by: string,
  ): TrustChange {
    const remembered =
      decision === "off" ? [] : (this.#find(runner, scan.folder)?.remembered ?? []);
    const trusted = decision === "off" ? [] : scan.findings.map(({ id }) => id);
    const names = [...new Set([scan.folder, named])];
    const { hash } = scan;
    const at = Date.now();
    return this.#put({ runner, names, decision, hash, trusted, remembered, by, at });
  }

  /** A person allowed something for good, and the agent writes it into the folder's settings. */
  remember(runner: string, folder: string, ids: readonly string[], by: string): TrustChange {
    const nothing: Entry = {
      runner,
      names: [folder],
      decision: null,
      hash: "",
      trusted: [],
      remembered: [],
      by,
      at: Date.now(),
    };
    const entry = this.#find(runner, folder) ?? nothing;
    const news = ids.filter((id) => !entry.remembered.includes(id));
    if (news.length === 0) return { changes: [], undo: () => {} };
    return this.#put({ ...entry, remembered: [...entry.remembered, ...news] });
  }

  /** In force at once, so that a decision that is taken meanwhile is not written over. */
  #put(entry: Entry): TrustChange {
    const before = this.#entries.find((one) => isSameFolder(one, entry));
    const others = () => this.#entries.filter((one) => !isSameFolder(one, entry));
    this.#entries = [...others(), entry];
    return {
      changes: [{ kind: "setting", key: KEY, value: JSON.stringify(this.#entries) }],
      undo: () => {
        if (this.#entries.includes(entry))
          this.#entries = [...others(), ...(before ? [before] : [])];
      },
    };
  }

  #find(runner: string, folder: string): Entry | undefined {
    return this.#entries.find((one) => one.runner === runner && one.names.includes(folder));
  }
}

function isSameFolder(one: Entry, other: Entry): boolean {
  return one.runner === other.runner && one.names[0] === other.names[0];
}
