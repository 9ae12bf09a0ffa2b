import type { OrderOfKind } from "@signalbox/api/link";
import { type FolderScan, getUntrustedFindings } from "../trust/finding.ts";
import { scanFolder } from "../trust/scan-folder.ts";
import type { TrustStore } from "../trust/trust-store.ts";
import { resolveAllowedFolder } from "./allowed-folders.ts";
import type { Approvers } from "./approvers.ts";
import { resolveFolder } from "./folders.ts";
import { OrderError } from "./order-error.ts";

/** A scan, with the findings that are not trusted on this machine. */
export interface FolderTrustScan extends FolderScan {
  readonly untrusted: readonly string[];
}

interface FolderOrdersOptions {
  readonly store: TrustStore;
  /** The id of this runner, because a signature is valid for one machine. */
  readonly runner: string;
  /** The approvers, one of whom has to sign. Without it, orders of the hub need no signature. */
  readonly approvers?: Approvers | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Carries out the orders of the hub about the code of folders: scans and decisions. */
export class FolderOrders {
  readonly #options: FolderOrdersOptions;

  constructor(options: FolderOrdersOptions) {
    this.#options = options;
  }

  async scan(order: OrderOfKind<"scan-folder">): Promise<FolderTrustScan> {
    const { folder, addDirs = [], allowed } = order;
    if (allowed) for (const each of [folder, ...addDirs]) resolveAllowedFolder(each, allowed);
    return this.#scan(folder, order.addDirs);
  }

  /** Trusts a folder after a scan of its own: the folder has to contain exactly what was signed. */
  async trust(order: OrderOfKind<"trust-folder">): Promise<FolderTrustScan> {
    const { store, runner, approvers } = this.#options;
    const scan = await this.#scan(order.folder, order.addDirs);
    const { folder, hash } = scan;
    if (hash !== order.hash || folder !== order.folder) {
      throw new OrderError(
        "folder-changed",
        "The code of this folder has changed since it was shown. Nothing was trusted. Review it again.",
      );
    }
    const unreadable = scan.findings.find(({ kind }) => kind === "unreadable");
    if (unreadable) {
      throw new OrderError(
        "unreadable",
        `${unreadable.source} cannot be trusted: ${unreadable.text} Fix or remove it, then try again.`,
      );
    }
    if (
      approvers &&
      !(order.signed && approvers.hasSignedTrust({ runner, folder, hash }, order.signed))
    ) {
      throw new OrderError(
        "not-signed",
        "The trust in this folder is not signed by an approver's device.",
      );
    }
    store.grant(
      folder,
      scan.findings.map(({ id }) => id),
    );
    return { ...scan, untrusted: [] };
  }

  /** Whether an approver has trusted a folder, and nothing that it brings is new since then. */
  async isTrusted(folder: string): Promise<boolean> {
    const { untrusted, folder: real } = await this.#scan(folder, undefined);
    return untrusted.length === 0 && this.#options.store.isGranted(real);
  }

  async distrust(order: OrderOfKind<"distrust-folder">): Promise<FolderTrustScan> {
    const scan = await this.#scan(order.folder, order.addDirs);
    this.#options.store.revoke(scan.folder);
    return { ...scan, untrusted: scan.findings.map(({ id }) => id) };
  }

  async #scan(named: string, addDirs: readonly string[] | undefined): Promise<FolderTrustScan> {
    const { store, environment } = this.#options;
    const scan = scanFolder(await resolveFolder(named), {
      environment,
      ...(addDirs && { addDirs }),
    });
    const trusted = new Set(store.getTrustedIds(scan.folder));
    return { ...scan, untrusted: getUntrustedFindings(scan, trusted).map(({ id }) => id) };
  }
}
