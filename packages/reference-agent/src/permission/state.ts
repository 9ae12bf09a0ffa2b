import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { PermissionMode } from "@signalbox/agent";
import { absolute } from "../files/paths.ts";
import { type Behavior, readRule, type Rule, type RuleSource, ruleText } from "./rule.ts";

/** A change of the permissions in the settings. */
export type KeptChange = { readonly destination: RuleSource } & (
  | {
      readonly list: Behavior | "additionalDirectories";
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  | { readonly mode: PermissionMode }
);

/** Stores a change. It belongs to the owner of the settings files. */
type KeepChange = (change: KeptChange) => void;

/** The current permissions: mode, rules and folders. Answers of hosts change it. */
export class PermissionSettings {
  mode: PermissionMode;
  /** The mode before plan mode, which is restored when a plan is approved. */
  modeBeforePlan: PermissionMode = "default";
  readonly folder: string;
  readonly home: string;
  /** Whether a command has run. Before that, the shell's own variables are not known. */
  knowsShell = false;
  readonly rules: Record<Behavior, Rule[]> = { allow: [], deny: [], ask: [] };
  #plansFreely: boolean;
  readonly #mayBypass: boolean;
  readonly #folders = new Set<string>();
  readonly #keep: KeepChange;
  readonly #onMode: (mode: PermissionMode) => void;

  constructor(context: {
    mode: PermissionMode;
    folder: string;
    home: string;
    folders: readonly string[];
    /**
     * `useAutoModeDuringPlan: false`: what rules allow, except edits, is also allowed in plan mode.
     */
    plansFreely?: boolean;
    /** The agent was started with permission to skip questions, now or when a host requests it. */
    mayBypass?: boolean;
    keep?: KeepChange;
    onMode?: (mode: PermissionMode) => void;
  }) {
    this.mode = context.mode;
    this.folder = context.folder;
    this.home = context.home;
    this.#plansFreely = context.plansFreely ?? false;
    this.#mayBypass = context.mayBypass ?? context.mode === "bypassPermissions";
    this.#keep = context.keep ?? (() => {});
    this.#onMode = context.onMode ?? (() => {});
    for (const folder of context.folders) this.addFolder(folder);
  }

  /**
   * Whether a plan is in progress. Until it is approved, rules for whole tools that change
   * something have no effect.
   */
  get holdsPlan(): boolean {
    return this.mode === "plan" && !this.#plansFreely;
  }

  /** The working folder and the added folders. */
  get folders(): string[] {
    return [this.folder, ...this.#folders];
  }

  get addedFolders(): string[] {
    return [...this.#folders];
  }

  addFolder(folder: string): void {
    this.#folders.add(absolute(folder, this.folder, this.home));
  }

  /** Sets the mode. `tell` reports it to the host, at once or later. */
  setMode(mode: PermissionMode, tell = (say: () => void): void => say()): void {
    if (mode === this.mode) return;
    if (mode === "plan") this.modeBeforePlan = this.mode;
    this.mode = mode;
    tell(() => this.#onMode(mode));
  }

  /**
   * Judges in the mode of a kind of subagent. It applies unless the session's mode allows more or a
   * plan is in progress, or always with `always`. Judging is synchronous, so nobody else sees the
   * change.
   */
  withMode<T>(mode: PermissionMode | undefined, judge: () => T, always = false): T {
    const before = { mode: this.mode, plansFreely: this.#plansFreely };
    if (mode === undefined || (stronger.has(before.mode) && !always)) return judge();
    try {
      this.mode = mode;
      this.#plansFreely = true; // The plan is only the subagent's.
      return judge();
    } finally {
      this.mode = before.mode;
      this.#plansFreely = before.plansFreely;
    }
  }

  addRules(behavior: Behavior, texts: readonly string[], source: RuleSource, root: string): void {
    for (const text of texts) this.rules[behavior].push(readRule(text, source, root));
  }

  /** Replaces all rules of one source. */
  setRules(
    source: RuleSource,
    rules: Readonly<Record<Behavior, readonly string[]>>,
    root: string,
  ): void {
    for (const behavior of ["allow", "deny", "ask"] as const) {
      this.#drop(behavior, (rule) => rule.source !== source);
      this.addRules(behavior, rules[behavior], source, root);
    }
  }

  /** Applies changes from an answer (`updatedPermissions`). Unknown changes are ignored. */
  update(change: JsonObject): void {
    const destination = getSource(change["destination"]);
    const behavior = getBehavior(change["behavior"]);
    switch (change["type"]) {
      case "setMode":
        if (typeof change["mode"] !== "string") break;
        if (change["mode"] === "bypassPermissions" && !this.#mayBypass) break;
        this.setMode(change["mode"] as PermissionMode);
        this.#keep({ destination, mode: this.mode });
        break;
      case "addDirectories": {
        const add = texts(change["directories"]);
        for (const folder of add) this.addFolder(folder);
        this.#keep({ destination, list: "additionalDirectories", add, remove: [] });
        break;
      }
      case "removeDirectories": {
        const remove = texts(change["directories"]);
        for (const folder of remove) {
          this.#folders.delete(absolute(folder, this.folder, this.home));
        }
        this.#keep({ destination, list: "additionalDirectories", add: [], remove });
        break;
      }
      case "addRules": {
        const add = ruleTexts(change["rules"]);
        this.addRules(behavior, add, destination, this.folder);
        this.#keep({ destination, list: behavior, add, remove: [] });
        break;
      }
      case "removeRules": {
        const remove = ruleTexts(change["rules"]);
        this.#drop(behavior, (rule) => !remove.includes(ruleText(rule)));
        this.#keep({ destination, list: behavior, add: [], remove });
        break;
      }
      case "replaceRules": {
        const add = ruleTexts(change["rules"]);
        const remove = this.rules[behavior].filter(({ source }) => source === destination);
        this.#drop(behavior, ({ source }) => source !== destination);
        this.addRules(behavior, add, destination, this.folder);
        this.#keep({ destination, list: behavior, add, remove: remove.map(ruleText) });
        break;
      }
      default:
    }
  }

  #drop(behavior: Behavior, keep: (rule: Rule) => boolean): void {
    this.rules[behavior] = this.rules[behavior].filter(keep);
  }
}

const stronger = new Set<PermissionMode>(["bypassPermissions", "acceptEdits", "plan"]);

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function ruleTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap(({ toolName, ruleContent }) => {
    if (typeof toolName !== "string") return [];
    return [
      ruleText(
        typeof ruleContent === "string"
          ? { tool: toolName, content: ruleContent }
          : { tool: toolName },
      ),
    ];
  });
}

function getSource(value: unknown): RuleSource {
  const files = ["userSettings", "projectSettings", "localSettings"] as const;
  return files.find((file) => file === value) ?? "session";
}

function getBehavior(value: unknown): Behavior {
  return value === "deny" || value === "ask" ? value : "allow";
}
