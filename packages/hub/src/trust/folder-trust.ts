import type { FolderTrust, TrustDecision, TrustGrant, TrustRevocation } from "@signalbox/api";
import type { Order } from "@signalbox/api/link";
import type { ScannedFolder } from "@signalbox/runner";
import type { SignedDecision } from "../devices/access.ts";
import type { Actor } from "../engine.ts";
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

interface Place {
  readonly folder: string;
  /** Folders that a session has beside its own. */
  readonly addDirs?: string[];
}

/** The question whether a folder's own code may run: what it brings, and what people decide. */
export class FolderTrusts {
  readonly #options: FolderTrustsOptions;

  constructor(options: FolderTrustsOptions) {
    this.#options = options;
  }

  decisions(): readonly TrustDecision[] {
    return this.#options.book.decisions;
  }

  /** What the folder brings at this moment. */
  async look(
    runner: string | undefined,
    folder: string,
    { by, addDirs }: { readonly by?: Actor; readonly addDirs?: readonly string[] | undefined } = {},
  ): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    return this.#view(machine, await this.#scan(machine, placeOf(folder, addDirs), by));
  }

  /**
   * The runner looks by itself and checks the signature; `hash` is that of what was shown. It is in the audit
   * log before it counts, and where the runner refuses it, that is there, too.
   */
  async grant(grant: TrustGrant, by: Actor, signed?: SignedDecision): Promise<FolderTrust> {
    const { runner, folder, addDirs, hash } = grant;
    const place = placeOf(folder, addDirs);
    const seen = await this.#scan(runner, place, by);
    const { book, order } = this.#options;
    const before = book.decisions.find((one) => one.runner === runner && one.folder === folder);
    await this.#note("trust-granted", runner, { ...seen, hash }, by);
    try {
      const signature = signed && { signed: { by: signed.by, signature: signed.signature } };
      const carried = { kind: "trust-folder", ...place, hash, ...signature } as const;
      const scan = (await order(runner, carried)) as ScannedFolder;
      await this.#put({ runner, folder: scan.folder, decision: "trusted", hash }, by);
      return this.#view(runner, scan);
    } catch (failure) {
      const why = failure instanceof Error ? failure.message : String(failure);
      const kept = before?.decision ?? "none";
      await this.#note("trust-refused", runner, seen, by, { why, kept });
      throw failure;
    }
  }

  /** It does not count from the next run on, and is not asked again until it changes. */
  async revoke({ runner, folder, addDirs }: TrustRevocation, by: Actor): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    const place = placeOf(folder, addDirs);
    await this.#scan(machine, place, by); // whether they may look there
    const order = { kind: "distrust-folder", ...place } as const;
    const scan = (await this.#options.order(machine, order)) as ScannedFolder;
    await this.#note("trust-revoked", machine, scan, by);
    const { folder: real, hash } = scan;
    await this.#put({ runner: machine, folder: real, decision: "off", hash }, by);
    return this.#view(machine, scan);
  }

  async #put(decision: Omit<TrustDecision, "by" | "at">, by: Actor): Promise<void> {
    const { book, store, changed } = this.#options;
    const { changes, undo } = book.put({ ...decision, by: by.name, at: Date.now() });
    try {
      await store.commit(changes);
    } catch (failure) {
      undo();
      throw failure;
    }
    changed(decision.runner);
  }

  async #note(
    what: string,
    runner: string,
    scan: ScannedFolder,
    by: Actor,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { folder, hash } = scan;
    const findings = scan.findings
      .slice(0, FINDINGS_IN_AUDIT)
      .map(({ kind, source, text }) => `${kind} ${source}: ${text}`.slice(0, TEXT_IN_AUDIT));
    const entry = audit(what, by, null, { runner, folder, hash, findings, ...more });
    await this.#options.store.commit([entry]);
  }

  async #scan(runner: string, place: Place, by: Actor | undefined): Promise<ScannedFolder> {
    const limits = this.#options.limits(by, runner);
    const order = { kind: "scan-folder", ...place, ...limits } as const;
    return (await this.#options.order(runner, order)) as ScannedFolder;
  }

  #view(runner: string, scan: ScannedFolder): FolderTrust {
    const { folder, hash, findings, untrusted } = scan;
    const state = this.#options.book.state(runner, scan);
    return { runner, folder, state, hash, findings: [...findings], untrusted: [...untrusted] };
  }
}

function placeOf(folder: string, addDirs: readonly string[] | undefined): Place {
  return { folder, ...(addDirs && addDirs.length > 0 && { addDirs: [...addDirs] }) };
}
