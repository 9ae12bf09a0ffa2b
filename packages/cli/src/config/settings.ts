import type { SessionDefaults } from "@signalbox/api";
import type { HubClient } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { CommandError } from "../command-error.ts";
import { exitCode } from "../exit-code.ts";
import { parseChoice } from "../options.ts";
import { UsageError } from "../usage-error.ts";
import { describeRelay } from "./describe-relay.ts";

export interface SettingValue {
  readonly json: unknown;
  readonly text: string;
}

/** A setting of the hub as the command line shows and changes it. */
export interface Setting {
  readonly name: string;
  readonly summary: string;
  /** The section of the page on which it is found. */
  readonly section: string;
  readonly read: (hub: HubClient) => Promise<SettingValue>;
  /** Checks a value and returns what stores it. A setting without this has a section of its own. */
  readonly write?: (value: string) => (hub: HubClient) => Promise<void>;
}

const NO_LIMIT = "none";
const permissions = ["default", "accept-edits", "plan", "supervised"] as const;
const outcomes = ["deny", "deny-and-stop"] as const;
const MAX_MINUTES = 100_000;
const MAX_DAYS = 3650;

/** A setting whose value is one of the defaults of new sessions. */
function describeDefaults(options: {
  readonly name: string;
  readonly summary: string;
  readonly pick: (defaults: SessionDefaults) => string;
  readonly parse: (value: string) => (defaults: SessionDefaults) => SessionDefaults;
}): Setting {
  const { name, summary, pick, parse } = options;
  return {
    name,
    summary,
    section: "permissions",
    read: async (hub) => {
      const picked = pick(await hub.sessionDefaults());
      return { json: picked, text: picked };
    },
    write: (value) => {
      const change = parse(value);
      return async (hub) => hub.setSessionDefaults(change(await hub.sessionDefaults()));
    },
  };
}

export const settings: readonly Setting[] = [
  describeDefaults({
    name: "permission",
    summary: `permission of new sessions: ${permissions.join(", ")}`,
    pick: ({ permission }) => permission,
    parse: (value) => {
      const permission = parseChoice("permission", value, permissions);
      return (defaults) => ({ ...defaults, permission });
    },
  }),
  describeDefaults({
    name: "requests.time-limit",
    summary: "minutes that a request waits for an answer, or none",
    pick: ({ askLimit }) => (askLimit ? String(askLimit.minutes) : NO_LIMIT),
    parse: (value) => {
      const minutes = parseMinutes(value);
      return ({ askLimit, ...defaults }) => ({
        ...defaults,
        askLimit:
          minutes === undefined ? null : { minutes, onTimeout: askLimit?.onTimeout ?? "deny" },
      });
    },
  }),
  describeDefaults({
    name: "requests.on-timeout",
    summary: `what happens to a request after its time limit: ${outcomes.join(", ")}`,
    pick: ({ askLimit }) => askLimit?.onTimeout ?? NO_LIMIT,
    parse: (value) => {
      const onTimeout = parseChoice("requests.on-timeout", value, outcomes);
      return ({ askLimit, ...defaults }) => {
        if (askLimit) return { ...defaults, askLimit: { ...askLimit, onTimeout } };
        throw new CommandError(exitCode.usage, "Set requests.time-limit first.");
      };
    },
  }),
  {
    name: "archive-after",
    summary: "days without activity after which sessions are archived, or none",
    section: "general",
    read: async (hub) => {
      const { archiveAfterDays: days } = await hub.housekeeping();
      return { json: days, text: days === null ? NO_LIMIT : String(days) };
    },
    write: (value) => {
      const archiveAfterDays = parseDays(value);
      return async (hub) => void (await hub.setHousekeeping({ archiveAfterDays }));
    },
  },
  {
    name: "import",
    summary: "whether the sessions of Claude Code are imported: on or off",
    section: "import",
    read: async (hub) => {
      const { on, folders } = await hub.importStatus();
      return { json: { on, folders }, text: [on ? "on" : "off", ...folders].join(", ") };
    },
    write: (value) => {
      const on = parseChoice("import", value, ["on", "off"]) === "on";
      return async (hub) => {
        const { folders } = await hub.importStatus();
        await hub.setImport({ on, folders });
      };
    },
  },
  {
    name: "agents",
    summary: "the agents that sessions can run",
    section: "agents",
    read: async (hub) => {
      const agents = await hub.agents();
      const text = agents.map(({ name, npm, found, problem }) => {
        const version = found ? `${found.version}, ${found.versionClass}` : (npm ?? problem ?? "");
        return version === "" ? name : `${name} (${version})`;
      });
      return { json: agents, text: text.join(", ") };
    },
  },
  {
    name: "accounts",
    summary: "the names of the accounts and environment profiles",
    section: "accounts",
    read: async (hub) => {
      const names = await hub.environmentNames();
      return { json: names, text: names.join(", ") || NO_LIMIT };
    },
  },
  {
    name: "allowed-folders",
    summary: "the folders in which drivers can start sessions",
    section: "trust",
    read: async (hub) => {
      const machines = await hub.allowedFolders();
      const text = machines.map(({ machine, folders }) => `${machine}: ${folders.join(", ")}`);
      return { json: machines, text: text.join("; ") };
    },
  },
  {
    name: "embedding-origins",
    summary: "the origins of other programs' pages that may use this hub",
    section: "devices",
    read: async (hub) => {
      const { origins } = await hub.embeddingOrigins();
      return { json: origins, text: origins.join(", ") || NO_LIMIT };
    },
  },
  {
    name: "relay",
    summary: "whether agents that run elsewhere can dial in",
    section: "relay",
    read: async (hub) => {
      const state = await hub.relay();
      return { json: state, text: describeRelay(state) };
    },
  },
  {
    name: "trust",
    summary: "the folders whose own code may run",
    section: "trust",
    read: async (hub) => {
      const decisions = await hub.trustDecisions();
      const trusted = decisions.filter(({ decision }) => decision === "trusted");
      return {
        json: decisions,
        text: trusted.map(({ folder }) => folder).join(", ") || NO_LIMIT,
      };
    },
  },
];

export function findSetting(name: string): Setting {
  const found = settings.find((setting) => setting.name === name);
  if (found) return found;
  const known = settings.map((setting) => setting.name).join(", ");
  throw new UsageError(
    `There is no setting "${escapeForTerminal(name)}". The settings are: ${known}.`,
  );
}

function parseDays(value: string): number | null {
  if (value === NO_LIMIT) return null;
  const days = Number(value);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new UsageError(
    `archive-after is a whole number of days up to ${MAX_DAYS}, or none, not "${escapeForTerminal(value)}".`,
  );
}

function parseMinutes(value: string): number | undefined {
  if (value === NO_LIMIT) return undefined;
  const minutes = Number(value);
  if (value.trim() !== "" && minutes > 0 && minutes <= MAX_MINUTES) return minutes;
  throw new UsageError(
    `requests.time-limit is a number of minutes up to ${MAX_MINUTES}, or none, not "${escapeForTerminal(value)}".`,
  );
}
