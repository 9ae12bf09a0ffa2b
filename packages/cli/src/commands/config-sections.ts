import type { CliCommand } from "../command.ts";

interface ListedSection {
  readonly summary: string;
  load(): Promise<CliCommand>;
}

/** The sections of the settings that have commands of their own, named as on the page. */
export const sections: Readonly<Record<string, ListedSection>> = {
  agents: {
    summary: "list, add, edit, test or remove agents",
    load: async () => (await import("../config/agents.ts")).agentsSection,
  },
  accounts: {
    summary: "list, show, set or remove accounts and environment variables",
    load: async () => (await import("../config/accounts.ts")).accountsSection,
  },
  "allowed-folders": {
    summary: "list, add or remove folders in which drivers can start sessions",
    load: async () => (await import("../config/allowed-folders.ts")).allowedFoldersSection,
  },
  projects: {
    summary: "options that new sessions of a folder have by default",
    load: async () => (await import("../config/projects.ts")).projectsSection,
  },
  "embedding-origins": {
    summary: "list, add or remove origins of pages that may use this hub",
    load: async () => (await import("../config/embedding-origins.ts")).embeddingOriginsSection,
  },
  relay: {
    summary: "show whether agents can dial in, turn the relay on or off",
    load: async () => (await import("../config/relay.ts")).relaySection,
  },
  trust: {
    summary: "list trusted folders, or revoke trust",
    load: async () => (await import("../config/trust.ts")).trustSection,
  },
  machines: {
    summary: "the same as signalbox machines: list, add or remove machines",
    load: async () => (await import("./machines.ts")).machinesCommand,
  },
  devices: {
    summary: "the same as signalbox devices: list or revoke devices",
    load: async () => (await import("./devices.ts")).devicesCommand,
  },
  notifications: {
    summary: "says where notifications are set",
    load: async () => (await import("../config/notifications.ts")).notificationsSection,
  },
  audit: {
    summary: "the same as signalbox audit: read, filter, verify or export the log",
    load: async () => (await import("./audit.ts")).auditCommand,
  },
};

export async function loadSection(name: string | undefined): Promise<CliCommand | undefined> {
  if (name === undefined || !Object.hasOwn(sections, name)) return undefined;
  return await sections[name]?.load();
}
