import type { Launch } from "@signalbox/host";
import type { Hook } from "@signalbox/host";
import { type FolderScan, getUntrustedFindings } from "./finding.ts";
import { getRememberedIds } from "./remembered-rules.ts";
import { restrictLaunch } from "./restrict-launch.ts";
import { scanFolder } from "./scan-folder.ts";
import { hasUserHooks } from "./user-hooks.ts";

/**
 * How a run treats the code of its folder. `none`: there is none. `trusted`: it is used. `off`: it is not used.
 * `changed`: the folder has changed since the run started, and the changes are not used.
 */
export interface RunTrustFacts {
  readonly state: "none" | "trusted" | "off" | "changed";
  /** The hash of the findings of the folder. */
  readonly hash: string;
  readonly findings: number;
}

interface RunTrustOptions {
  /** Returns the ids of the trusted findings of a folder. */
  readonly getTrustedIds: (folder: string) => readonly string[];
  /** Called when a person has permanently allowed rules that will be written to the folder. */
  readonly onRemember?: (folder: string, ids: readonly string[]) => void;
  /** Called when the folder has changed during the run. */
  readonly onChange: (facts: RunTrustFacts, text: string) => void;
  /** Called when a trusted program has changed and the agent would run it, so that the run has to stop. */
  readonly onProgramChanged?: () => void;
}

/** The settings of the folder that Claude Code reloads while it runs (2.1.325; 2.1.7 does not reload any). */
const folderSources: ReadonlySet<unknown> = new Set([
  "project_settings",
  "local_settings",
  "skills",
]);

/** Ensures that a run uses only the code of its folder that a person has trusted. */
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

  /** Undefined until the folder has been scanned. */
  get facts(): RunTrustFacts | undefined {
    return this.#facts;
  }

  /**
   * Whether hooks of the user's settings, of an administrator or of a trusted folder may allow or rewrite calls in
   * this run.
   */
  get mayRewriteCalls(): boolean {
    if (this.#hasFolderCode) return true;
    const { inheritFrom, environment } = this.#launch ?? {};
    const env = { ...(inheritFrom ?? process.env), ...environment };
    return hasUserHooks(env);
  }

  /** Scans the folder right before the agent starts, and restricts the launch if the folder is not trusted. */
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

  /** Whether the folder now contains untrusted code that the started run would use. */
  hasChanged(): boolean {
    if (!this.#facts || this.#facts.state === "off") return false;
    return getUntrustedFindings(this.#scan(), this.#trusted).length > 0;
  }

  /** Trusts the rules that are written to the folder because a person has allowed them permanently. */
  remember(updates: readonly unknown[] | undefined): void {
    const ids = getRememberedIds(updates ?? []);
    for (const id of ids) this.#trusted.add(id);
    if (ids.length > 0) this.#options.onRemember?.(this.#folder, ids);
  }

  /** Blocks settings that change while the agent runs, unless they are trusted. */
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
        `${file} has changed and is not trusted. The change is ignored in this run. The next run starts without the settings of the folder until you trust them.`,
      );
      return { decision: "block", reason: "This change is not trusted." };
    },
  };

  /**
   * Scans the folder after each call, before the hooks of the next call run: the agent reloads changed settings,
   * but it does not notice when the scripts that they name have changed.
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
        "A program that the folder runs has changed during the turn and is not trusted any more. The agent was stopped before it could run. Your next message starts the agent without the code of the folder until you trust it again.";
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
