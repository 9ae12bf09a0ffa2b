import type { FolderTrust, TrustDecision, TrustGrant, TrustRevocation } from "@signalbox/api";
import type { Order } from "@signalbox/api/link";
import type { FolderTrustScan } from "@signalbox/runner/supervise";
import type { SignedDecision } from "../devices/access-control.ts";
import type { Actor } from "../engine.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import type { TrustRegistry } from "../trust/trust-registry.ts";

const MAX_AUDITED_FINDINGS = 100;
const MAX_AUDITED_CHARACTERS = 500;

export interface FolderTrustOptions {
  readonly store: Store;
  readonly registry: TrustRegistry;
  readonly ownRunner: string;
  /** Has a runner carry out an order. */
  readonly sendOrder: (runner: string, order: Order) => Promise<unknown>;
  /** The folders that a driver may look into on a machine; none for others, who may look anywhere. */
  readonly getLimits: (by: Actor | undefined, runner: string) => { readonly allowed?: string[] };
  /** What was decided about a folder has changed. */
  readonly onChanged: (runner: string) => void;
}

interface ScanTarget {
  readonly folder: string;
  /** Folders that a session has beside its own. */
  readonly addDirs?: string[];
}

/** The question whether a folder's own code may run: what it brings, and what people decide. */
export class FolderTrustService {
  readonly #options: FolderTrustOptions;

  constructor(options: FolderTrustOptions) {
    this.#options = options;
  }

  listDecisions(): readonly TrustDecision[] {
    return this.#options.registry.decisions;
  }

  /** What the folder brings at this moment. */
  async inspect(
    runner: string | undefined,
    folder: string,
    { by, addDirs }: { readonly by?: Actor; readonly addDirs?: readonly string[] | undefined } = {},
  ): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    return this.#toView(machine, await this.#scan(machine, createScanTarget(folder, addDirs), by));
  }

  /**
   * The runner looks by itself and checks the signature; `hash` is that of what was shown. It is in the audit
   * log before it counts, and where the runner refuses it, that is there, too.
   */
  async grant(grant: TrustGrant, by: Actor, signed?: SignedDecision): Promise<FolderTrust> {
    const { runner, folder, addDirs, hash } = grant;
    const place = createScanTarget(folder, addDirs);
    const seen = await this.#scan(runner, place, by);
    const { registry: book, sendOrder: order } = this.#options;
    const before = book.decisions.find((one) => one.runner === runner && one.folder === folder);
    await this.#audit("trust-granted", runner, { ...seen, hash }, by);
    try {
      const signature = signed && { signed: { by: signed.by, signature: signed.signature } };
      const carried = { kind: "trust-folder", ...place, hash, ...signature } as const;
      const scan = (await order(runner, carried)) as FolderTrustScan;
      await this.#record({ runner, folder: scan.folder, decision: "trusted", hash }, by);
      return this.#toView(runner, scan);
    } catch (failure) {
      const why = failure instanceof Error ? failure.message : String(failure);
      const kept = before?.decision ?? "none";
      await this.#audit("trust-refused", runner, seen, by, { why, kept });
      throw failure;
    }
  }

  /** It does not count from the next run on, and is not asked again until it changes. */
  async revoke({ runner, folder, addDirs }: TrustRevocation, by: Actor): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    const place = createScanTarget(folder, addDirs);
    await this.#scan(machine, place, by); // whether they may look there
    const order = { kind: "distrust-folder", ...place } as const;
    const scan = (await this.#options.sendOrder(machine, order)) as FolderTrustScan;
    await this.#audit("trust-revoked", machine, scan, by);
    const { folder: real, hash } = scan;
    await this.#record({ runner: machine, folder: real, decision: "off", hash }, by);
    return this.#toView(machine, scan);
  }

  async #record(decision: Omit<TrustDecision, "by" | "at">, by: Actor): Promise<void> {
    const { registry: book, store, onChanged: changed } = this.#options;
    const { changes, undo } = book.put({ ...decision, by: by.name, at: Date.now() });
    try {
      await store.commit(changes);
    } catch (failure) {
      undo();
      throw failure;
    }
    changed(decision.runner);
  }

  async #audit(
    what: string,
    runner: string,
    scan: FolderTrustScan,
    by: Actor,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { folder, hash } = scan;
    const findings = scan.findings
      .slice(0, MAX_AUDITED_FINDINGS)
      .map(({ kind, source, text }) =>
        `${kind} ${source}: ${text}`.slice(0, MAX_AUDITED_CHARACTERS),
      );
    const entry = createAuditChange(what, by, null, { runner, folder, hash, findings, ...more });
    await this.#options.store.commit([entry]);
  }

  async #scan(runner: string, place: ScanTarget, by: Actor | undefined): Promise<FolderTrustScan> {
    const limits = this.#options.getLimits(by, runner);
    const order = { kind: "scan-folder", ...place, ...limits } as const;
    return (await this.#options.sendOrder(runner, order)) as FolderTrustScan;
  }

  #toView(runner: string, scan: FolderTrustScan): FolderTrust {
    const { folder, hash, findings, untrusted } = scan;
    const state = this.#options.registry.getState(runner, scan);
    return { runner, folder, state, hash, findings: [...findings], untrusted: [...untrusted] };
  }
}

function createScanTarget(folder: string, addDirs: readonly string[] | undefined): ScanTarget {
  return { folder, ...(addDirs && addDirs.length > 0 && { addDirs: [...addDirs] }) };
}
