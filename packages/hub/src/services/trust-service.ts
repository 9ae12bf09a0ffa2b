import { errorMessage } from "@signalbox/protocol/text";
import type { FolderTrust, TrustDecision, TrustGrant, TrustRevocation } from "@signalbox/api";
import type { FolderTrustScan } from "@signalbox/runner/supervise";
import type { SignedDecision } from "../devices/access-control.ts";
import type { Actor } from "../actor.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { FolderService } from "./folder-service.ts";
import type { Machines } from "./machines.ts";
import type { TrustRegistry } from "../trust/trust-registry.ts";

const MAX_AUDITED_FINDINGS = 100;
const MAX_AUDITED_CHARACTERS = 500;

interface TrustServiceOptions {
  readonly store: Store;
  readonly registry: TrustRegistry;
  readonly machines: Machines;
  readonly folders: FolderService;
  readonly allowed: AllowedFolders;
  readonly sessions: Sessions;
  readonly ownRunner: string;
}

interface ScanTarget {
  readonly folder: string;
  /** The folders that a session uses in addition to its own. */
  readonly addDirs?: string[];
}

/** Whether code that a folder brings may run: shows what there is, and records what people decide. */
export class TrustService {
  readonly #options: TrustServiceOptions;

  constructor(options: TrustServiceOptions) {
    this.#options = options;
  }

  listDecisions(): readonly TrustDecision[] {
    return this.#options.registry.decisions;
  }

  /** What a folder brings right now. Without a runner, the folder is on the hub's machine. */
  async inspectFolder(runner: string | undefined, folder: string, by: Actor): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    return this.#toView(
      machine,
      await this.#scan(machine, createScanTarget(folder, undefined), by),
    );
  }

  /** What the folders of a session bring right now. */
  async inspectSession(session: string): Promise<FolderTrust> {
    const { sessions, allowed, machines } = this.#options;
    const { row } = sessions.get(session);
    const { runner, folder, options } = row;
    const target = createScanTarget(folder, options.addDirs);
    const order = { kind: "scan-folder", ...target, ...allowed.getSessionLimits(row) } as const;
    return this.#toView(runner, (await machines.sendOrder(runner, order)) as FolderTrustScan);
  }

  /**
   * Trusts a folder. The runner looks at the folder itself and checks the signature; `hash` is of what the
   * person was shown. The audit entry is written before the trust counts, and a refusal of the runner is
   * recorded, too.
   */
  async grant(grant: TrustGrant, by: Actor, signed?: SignedDecision): Promise<FolderTrust> {
    const { runner, folder, addDirs, hash } = grant;
    const target = createScanTarget(folder, addDirs);
    const seen = await this.#scan(runner, target, by);
    const { registry, machines } = this.#options;
    const before = registry.decisions.find((one) => one.runner === runner && one.folder === folder);
    await this.#audit("trust-granted", runner, { ...seen, hash }, by);
    try {
      const signature = signed && { signed: { by: signed.by, signature: signed.signature } };
      const order = { kind: "trust-folder", ...target, hash, ...signature } as const;
      const scan = (await machines.sendOrder(runner, order)) as FolderTrustScan;
      await this.#record({ runner, folder: scan.folder, decision: "trusted", hash }, by);
      return this.#toView(runner, scan);
    } catch (failure) {
      const why = errorMessage(failure);
      const previousDecision = before?.decision ?? "none";
      await this.#audit("trust-refused", runner, seen, by, { why, kept: previousDecision });
      throw failure;
    }
  }

  /** Ends the trust in a folder from the next run on. Nobody is asked again until the folder changes. */
  async revoke({ runner, folder, addDirs }: TrustRevocation, by: Actor): Promise<FolderTrust> {
    const machine = runner ?? this.#options.ownRunner;
    const target = createScanTarget(folder, addDirs);
    await this.#scan(machine, target, by); // checks that the caller may look into the folder
    const order = { kind: "distrust-folder", ...target } as const;
    const scan = (await this.#options.machines.sendOrder(machine, order)) as FolderTrustScan;
    await this.#audit("trust-revoked", machine, scan, by);
    const { folder: real, hash } = scan;
    await this.#record({ runner: machine, folder: real, decision: "off", hash }, by);
    return this.#toView(machine, scan);
  }

  async #record(decision: Omit<TrustDecision, "by" | "at">, by: Actor): Promise<void> {
    const { registry, store, sessions } = this.#options;
    const { changes, undo } = registry.put({ ...decision, by: by.name, at: Date.now() });
    try {
      await store.commit(changes);
    } catch (failure) {
      undo();
      throw failure;
    }
    for (const session of sessions.listByRunner(decision.runner)) session.notifyChanged();
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

  async #scan(runner: string, target: ScanTarget, by: Actor): Promise<FolderTrustScan> {
    const limits = this.#options.folders.getLimits(by, runner);
    const order = { kind: "scan-folder", ...target, ...limits } as const;
    return (await this.#options.machines.sendOrder(runner, order)) as FolderTrustScan;
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
