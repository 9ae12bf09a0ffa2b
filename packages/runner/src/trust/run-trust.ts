import type { Launch } from "@signalbox/host";
import type { Hook } from "@signalbox/host";
import { type FolderScan, getUntrustedFindings } from "./finding.ts";
import { getRememberedIds } from "./remembered-rules.ts";
import { restrictLaunch } from "./restrict-launch.ts";
import { scanFolder } from "./scan-folder.ts";
import { hasUserHooks } from "./user-hooks.ts";

/**
 * How a run was started, as far as the folder's own code is concerned. `none`: the folder brings none.
 * `trusted`: it counts. `off`: it does not. `changed`: the folder has changed since the run began, and
 * what changed does not count.
 */
export interface RunTrustFacts {
  readonly state: "none" | "trusted" | "off" | "changed";
  /** Of what the folder brings. */
  readonly hash: string;
  readonly findings: number;
}

export interface RunTrustOptions {
  /** Ids of the findings that a person has trusted in this folder. */
  readonly getTrustedIds: (folder: string) => readonly string[];
  /** A person has allowed rules for good that will be written into the folder. */
  readonly onRemember?: (folder: string, ids: readonly string[]) => void;
  /** The folder has changed while the run lives. */
  readonly onChange: (facts: RunTrustFacts, text: string) => void;
  /** A program that was trusted is another one by now, and the agent would run it: the run has to end. */
  readonly onProgramChanged?: () => void;
}

/** Parts of the folder's settings that Claude Code reads again while it runs (2.1.325; 2.1.7 does not). */
const folderSources: ReadonlySet<unknown> = new Set([
  "project_settings",
  "local_settings",
  "skills",
]);

/** Sees to it that of a folder's own code only what a person trusted counts in a run. */
export class RunTrust {
  readonly #options: RunTrustOptions;
  #trusted = new Set<string>();
  #launch: Launch | undefined;
  #folder = "";
  #facts: RunTrustFacts | undefined;
  #hasFolderCode = false;

  constructor(options: RunTrustOptions) {
    this.#options = options;
  }

  /** Undefined until the folder was looked at. */
  get facts(): RunTrustFacts | undefined {
    return this.#facts;
  }

  /**
   * Whether hooks that are not ours may allow or rewrite calls in this run: of the user's settings, of an
   * administrator's, or of a folder that is trusted.
   */
  get mayRewriteCalls(): boolean {
    if (this.#hasFolderCode) return true;
    const { inheritFrom, environment } = this.#launch ?? {};
    const env = { ...(inheritFrom ?? process.env), ...environment };
    return hasUserHooks(env);
  }

  /** Looks at the folder directly before the agent starts, and takes away what nobody trusts. */
  readonly review = (launch: Launch, folder: string): Launch => {
    this.#launch = launch;
    this.#folder = folder;
    this.#trusted = new Set(this.#options.getTrustedIds(folder));
    const scan = this.#scan();
    const isTrusted = getUntrustedFindings(scan, this.#trusted).length === 0;
    const state = scan.findings.length === 0 ? "none" : isTrusted ? "trusted" : "off";
    this.#facts = toFacts(state, scan);
    this.#hasFolderCode = state === "trusted";
    return state === "off" ? restrictLaunch(launch, folder) : launch;
  };

  /** Whether something came into the folder, since it was looked at, that nobody trusts and that counts. */
  hasChanged(): boolean {
    if (!this.#facts || this.#facts.state === "off") return false;
    return getUntrustedFindings(this.#scan(), this.#trusted).length > 0;
  }

  /** A person has allowed something for good: what is written into the folder for that is trusted. */
  remember(updates: readonly unknown[] | undefined): void {
    const ids = getRememberedIds(updates ?? []);
    for (const id of ids) this.#trusted.add(id);
    if (ids.length > 0) this.#options.onRemember?.(this.#folder, ids);
  }

  /** Keeps settings that change under a running agent from counting, unless they are trusted. */
  readonly configChangeHook: Hook = {
    event: "ConfigChange",
    timeoutSeconds: 60,
    run: (input) => {
      if (!folderSources.has(input["source"]) || !this.#facts) return {};
      const scan = this.#scan();
      if (this.#facts.state !== "off" && getUntrustedFindings(scan, this.#trusted).length === 0) {
        return {};
      }
      const file = typeof input["file_path"] === "string" ? input["file_path"] : this.#folder;
      this.#facts = toFacts(this.#facts.state === "off" ? "off" : "changed", scan);
      this.#options.onChange(
        this.#facts,
        `${file} has changed, and nobody has trusted what it brings now. It does not count in this run; the next one starts without the folder's own settings until somebody trusts them.`,
      );
      return { decision: "block", reason: "Nobody has trusted this change." };
    },
  };

  /**
   * The agent reads its settings again when they change, but runs whatever the scripts are that they name. So
   * they are looked at after each call, before the next one's hooks would run them.
   */
  readonly afterCallHook: Hook = {
    event: "PostToolUse",
    timeoutSeconds: 60,
    isNeeded: () => this.#facts?.state === "trusted",
    run: () => {
      if (this.#facts?.state !== "trusted") return {};
      const scan = this.#scan();
      if (getUntrustedFindings(scan, this.#trusted).length === 0) return {};
      this.#facts = toFacts("changed", scan);
      const text =
        "Something that the folder runs has changed during the turn, and nobody has trusted it as it is now. The agent was stopped before it could run; the next message starts it without the folder's own code until somebody trusts that.";
      this.#options.onChange(this.#facts, text);
      this.#options.onProgramChanged?.();
      return { continue: false, stopReason: text };
    },
  };

  get hooks(): readonly Hook[] {
    return [this.configChangeHook, this.afterCallHook];
  }

  #scan(): FolderScan {
    const { addDirs, inheritFrom, environment } = this.#launch ?? {};
    return scanFolder(this.#folder, {
      ...(addDirs && { addDirs }),
      environment: { ...(inheritFrom ?? process.env), ...environment },
    });
  }
}

function toFacts(state: RunTrustFacts["state"], { hash, findings }: FolderScan): RunTrustFacts {
  return { state, hash, findings: findings.length };
}
