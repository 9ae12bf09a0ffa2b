import { strings } from "../strings/strings.ts";

const text = strings.settings;

export const sectionNames = [
  "general",
  "agents",
  "accounts",
  "permissions",
  "trust",
  "machines",
  "devices",
  "relay",
  "notifications",
  "audit",
  "about",
] as const;
export type SectionName = (typeof sectionNames)[number];

/** The section that a path names. */
export function parseSection(name: string | undefined): SectionName | undefined {
  return sectionNames.find((each) => each === name);
}

export const sectionPath = (section: SectionName) => `/settings/${section}`;

/** A setting that the search finds. */
export interface SettingEntry {
  readonly section: SectionName;
  readonly label: string;
  /** Other words that people search for. */
  readonly keywords?: string;
}

const entries: readonly SettingEntry[] = [
  { section: "general", label: text.general.theme, keywords: "appearance dark light color mode" },
  { section: "general", label: text.general.dates, keywords: "format relative clock" },
  { section: "general", label: text.general.enterSends, keywords: "newline composer keys" },
  { section: "general", label: text.general.shortcuts, keywords: "keys hotkeys help" },
  { section: "agents", label: text.agents.add, keywords: "claude code program npm version path" },
  { section: "agents", label: text.agents.model, keywords: "opus sonnet haiku" },
  { section: "agents", label: text.agents.driver, keywords: "stdio sdk sdk-url" },
  { section: "agents", label: text.agents.flags, keywords: "options arguments" },
  { section: "accounts", label: text.accounts.addProfile, keywords: "environment variables" },
  {
    section: "accounts",
    label: text.accounts.addAccount,
    keywords: "CLAUDE_CONFIG_DIR login subscription",
  },
  {
    section: "accounts",
    label: text.accounts.addGateway,
    keywords: "ANTHROPIC_BASE_URL proxy bedrock vertex api key token secret",
  },
  {
    section: "permissions",
    label: text.permissions.permission,
    keywords: "policy supervised plan accept edits ask first",
  },
  {
    section: "permissions",
    label: text.permissions.limit,
    keywords: "request timeout expire deny stop countdown",
  },
  { section: "trust", label: text.trust.folders, keywords: "hooks mcp revoke" },
  { section: "trust", label: text.trust.allowedFolders, keywords: "roots driver command line" },
  { section: "machines", label: text.machines.add, keywords: "runner pair computer host" },
  { section: "devices", label: text.devices.pair, keywords: "qr code phone browser link role" },
  { section: "devices", label: text.devices.list, keywords: "revoke last seen token key unpair" },
  { section: "relay", label: text.relay.status, keywords: "dial in on off address" },
  { section: "relay", label: text.relay.create, keywords: "secret address invite" },
  { section: "relay", label: text.relay.neighbors, keywords: "attach detach discovery connect" },
  { section: "notifications", label: text.notifications.show, keywords: "alerts needs you" },
  { section: "notifications", label: text.notifications.projects, keywords: "mute" },
  { section: "audit", label: text.audit.verify, keywords: "log chain check" },
  { section: "audit", label: text.audit.export, keywords: "log download json" },
  { section: "about", label: text.about.version, keywords: "release" },
  { section: "about", label: text.about.database, keywords: "integrity check" },
  { section: "about", label: text.about.licenses, keywords: "geist font open source" },
];

/** The sections and settings that hold every word of a search. A section comes before its settings. */
export function searchSettings(query: string): readonly SettingEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const all = sectionNames.flatMap((section): SettingEntry[] => [
    { section, label: text.sections[section] },
    ...entries.filter((entry) => entry.section === section),
  ]);
  return all.filter(({ section, label, keywords = "" }) => {
    const searched = `${text.sections[section]} ${label} ${keywords}`.toLowerCase();
    const isSection = label === text.sections[section];
    const own = isSection ? label.toLowerCase() : `${label} ${keywords}`.toLowerCase();
    return (
      words.every((word) => searched.includes(word)) && words.some((word) => own.includes(word))
    );
  });
}
