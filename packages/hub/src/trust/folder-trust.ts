import type { FolderTrust, TrustDecision, TrustGrant, TrustRevocation } from "@signalbox/protocol";
import { type FolderScan, type Order, untrustedFindings } from "@signalbox/runner";
import { type Actor, Refusal } from "../engine.ts";
import { audit } from "../log/audit-change.ts";
import type { Store } from "../log/store.ts";
import type { TrustBook } from "./trust-book.ts";

const FINDINGS_IN_AUDIT = 100;
const TEXT_IN_AUDIT = 500;

export interface FolderTrustsOptions {
  readonly store: Store;
  readonly book: TrustBook;
  readonly ownRunner: string;
  /** Has a runner carry out an order. */
  readonly order: (runner: string, order: Order) => Promise<unknown>;
  /** The folders that a driver may look into on a machine; none for others, who may look anywhere. */
  readonly limits: (by: Actor | undefined, runner: string) => { readonly allowed?: string[] };
  /** What was decided about a folder has changed. */
  readonly changed: (runner: string) => void;
}

/** The question whether a folder's own code may run: what it brings, and what people decide. */
export class FolderTrusts {
  readonly #options: FolderTrustsOptions;

  constructor(options: FolderTrustsOptions) {
    this.#options = options;
  }

  decisions(): TrustDecision[] {
    return this.#options.book.decisions;
  }

  /** What the folder brings at this moment. */
  async look(
    runner: string | undefined,
    folder: string,
    { by, addDirs }: { readonly by?: Actor; readonly addDirs?: readonly string[] | undefined } = {},
  ): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    return this.#view(machine, await this.#scan(machine, folder, addDirs, by));
  }

  /** `hash` is that of what was shown: where it has changed since, it is to be looked at again. */
  async grant({ runner, folder, addDirs, hash }: TrustGrant, by: Actor): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    const scan = await this.#scan(machine, folder, addDirs, by);
    if (scan.hash !== hash) {
      const detail =
        "What this folder would run has changed since it was shown. Nothing was trusted: look at it again.";
      throw new Refusal(409, "folder-changed", detail);
    }
    const unreadable = scan.findings.find(({ kind }) => kind === "unreadable");
    if (unreadable) {
      const detail = `${unreadable.source} cannot be trusted: ${unreadable.text} Mend or remove it, and look again.`;
      throw new Refusal(409, "unreadable", detail);
    }
    await this.#decide(machine, folder, scan, "trusted", by);
    return this.#view(machine, scan);
  }

  /** It does not count from the next run on, and is not asked again until it changes. */
  async revoke({ runner, folder, addDirs }: TrustRevocation, by: Actor): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    const scan = await this.#scan(machine, folder, addDirs, by);
    await this.#decide(machine, folder, scan, "off", by);
    return this.#view(machine, scan);
  }

  async #decide(
    runner: string,
    named: string,
    scan: FolderScan,
    decision: "trusted" | "off",
    by: Actor,
  ): Promise<void> {
    const what = decision === "trusted" ? "trust-granted" : "trust-revoked";
    const { folder, hash } = scan;
    const findings = scan.findings
      .slice(0, FINDINGS_IN_AUDIT)
      .map(({ kind, source, text }) => `${kind} ${source}: ${text}`.slice(0, TEXT_IN_AUDIT));
    const entry = audit(what, by, null, { runner, folder, hash, findings });
    const { book, store, changed } = this.#options;
    const { changes, undo } = book.decide(runner, named, scan, decision, by.name);
    try {
      await store.commit([...changes, entry]);
    } catch (failure) {
      undo();
      throw failure;
    }
    changed(runner);
  }

  async #scan(
    runner: string,
    folder: string,
    addDirs: readonly string[] | undefined,
    by: Actor | undefined,
  ): Promise<FolderScan> {
    const extra = addDirs && addDirs.length > 0 ? { addDirs: [...addDirs] } : {};
    const limits = this.#options.limits(by, runner);
    const order = { kind: "scan-folder", folder, ...extra, ...limits } as const;
    return (await this.#options.order(runner, order)) as FolderScan;
  }

  #view(runner: string, scan: FolderScan): FolderTrust {
    const { book } = this.#options;
    const trusted = new Set(book.trusted(runner, scan.folder));
    return {
      runner,
      folder: scan.folder,
      state: book.state(runner, scan),
      hash: scan.hash,
      findings: [...scan.findings],
      untrusted: untrustedFindings(scan, trusted).map(({ id }) => id),
    };
  }
}
