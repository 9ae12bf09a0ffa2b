import { settingsKeywords, settingsStrings } from "../strings/settings-strings.ts";
import { strings } from "../strings/strings.ts";

const text = settingsStrings;
const keywords = settingsKeywords;

export const sectionNames = [
  "general",
  "agents",
  "accounts",
  "permissions",
  "trust",
  "machines",
  "import",
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
interface SettingEntry {
  readonly section: SectionName;
  readonly label: string;
  /** Other words that people search for. */
  readonly keywords?: string;
}

const entries: readonly SettingEntry[] = [
  { section: "general", label: text.general.theme, keywords: keywords.general.theme },
  { section: "general", label: text.general.dates, keywords: keywords.general.dates },
  { section: "general", label: text.general.enterSends, keywords: keywords.general.enterSends },
  { section: "general", label: text.general.shortcuts, keywords: keywords.general.shortcuts },
  { section: "agents", label: text.agents.add, keywords: keywords.agents.add },
  { section: "agents", label: text.agents.model, keywords: keywords.agents.model },
  { section: "agents", label: text.agents.driver, keywords: keywords.agents.driver },
  { section: "agents", label: text.agents.flags, keywords: keywords.agents.flags },
  { section: "accounts", label: text.accounts.addProfile, keywords: keywords.accounts.addProfile },
  {
    section: "accounts",
    label: text.accounts.addAccount,
    keywords: keywords.accounts.addAccount,
  },
  {
    section: "accounts",
    label: text.accounts.addGateway,
    keywords: keywords.accounts.addGateway,
  },
  {
    section: "permissions",
    label: text.permissions.permission,
    keywords: keywords.permissions.permission,
  },
  {
    section: "permissions",
    label: text.permissions.limit,
    keywords: keywords.permissions.limit,
  },
  { section: "trust", label: text.trust.folders, keywords: keywords.trust.folders },
  { section: "trust", label: text.trust.allowedFolders, keywords: keywords.trust.allowedFolders },
  { section: "machines", label: text.machines.add, keywords: keywords.machines.add },
  { section: "import", label: text.import.on, keywords: keywords.import.on },
  { section: "import", label: text.import.folders, keywords: keywords.import.folders },
  { section: "devices", label: strings.embedding.title, keywords: strings.embedding.keywords },
  { section: "devices", label: text.devices.pair, keywords: keywords.devices.pair },
  { section: "devices", label: text.devices.list, keywords: keywords.devices.list },
  { section: "relay", label: text.relay.status, keywords: keywords.relay.status },
  { section: "relay", label: text.relay.create, keywords: keywords.relay.create },
  { section: "relay", label: text.relay.neighbors, keywords: keywords.relay.neighbors },
  {
    section: "notifications",
    label: text.notifications.show,
    keywords: keywords.notifications.show,
  },
  {
    section: "notifications",
    label: text.notifications.projects,
    keywords: keywords.notifications.projects,
  },
  { section: "audit", label: text.audit.verify, keywords: keywords.audit.verify },
  { section: "audit", label: text.audit.export, keywords: keywords.audit.export },
  { section: "about", label: text.about.version, keywords: keywords.about.version },
  { section: "about", label: text.about.database, keywords: keywords.about.database },
  { section: "about", label: text.about.licenses, keywords: keywords.about.licenses },
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
