import {
  Bell,
  Blocks,
  FolderCheck,
  FolderInput,
  Info,
  type LucideIcon,
  Monitor,
  Radio,
  ScrollText,
  Search,
  ShieldCheck,
  SlidersHorizontal,
  Smartphone,
  UserRound,
} from "lucide-react";
import { type ComponentType, useState } from "react";
import { PHONE_PX } from "../frame/frame-state.ts";
import { PageHeader } from "../frame/page-header.tsx";
import { useMedia } from "../frame/use-media.ts";
import { Link } from "../navigation/link.tsx";
import { settingsStrings } from "../strings/settings-strings.ts";
import { strings } from "../strings/strings.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { About } from "./about.tsx";
import { Accounts } from "./accounts.tsx";
import { Agents } from "./agents.tsx";
import { Audit } from "./audit.tsx";
import { DevicesSection } from "./devices.tsx";
import { General } from "./general.tsx";
import { ImportSection } from "./import.tsx";
import { Machines } from "./machines.tsx";
import { Notifications } from "./notifications.tsx";
import { Permissions } from "./permissions.tsx";
import { Relay } from "./relay.tsx";
import {
  parseSection,
  searchSettings,
  type SectionName,
  sectionNames,
  sectionPath,
} from "./sections.ts";
import { TrustSection } from "./trust.tsx";

const text = settingsStrings;

const sections: Readonly<Record<SectionName, { icon: LucideIcon; View: ComponentType }>> = {
  general: { icon: SlidersHorizontal, View: General },
  agents: { icon: Blocks, View: Agents },
  accounts: { icon: UserRound, View: Accounts },
  permissions: { icon: ShieldCheck, View: Permissions },
  trust: { icon: FolderCheck, View: TrustSection },
  machines: { icon: Monitor, View: Machines },
  import: { icon: FolderInput, View: ImportSection },
  devices: { icon: Smartphone, View: DevicesSection },
  relay: { icon: Radio, View: Relay },
  notifications: { icon: Bell, View: Notifications },
  audit: { icon: ScrollText, View: Audit },
  about: { icon: Info, View: About },
};

/** All settings. Phones show the list of sections first, and then one section. */
export default function Settings({ section: named }: { readonly section: string | undefined }) {
  const isPhone = useMedia(`(width < ${PHONE_PX}px)`);
  const [query, setQuery] = useState("");
  const section = parseSection(named);
  const shown = section ?? (isPhone ? undefined : "general");
  return (
    <>
      <PageHeader
        title={isPhone && section !== undefined ? text.sections[section] : text.title}
        backTo={section === undefined ? "/sessions" : "/settings"}
      />
      <div className="flex min-h-0 flex-1">
        {(!isPhone || shown === undefined) && (
          <SectionList current={shown} query={query} onQuery={setQuery} isPhone={isPhone} />
        )}
        {shown !== undefined && <Section key={shown} name={shown} hasHeading={!isPhone} />}
      </div>
    </>
  );
}

function Section({ name, hasHeading }: { name: SectionName; hasHeading: boolean }) {
  const { View } = sections[name];
  return (
    <div className="page-body" data-section={name}>
      <div className="mx-auto flex max-w-reading flex-col gap-7 px-6 py-6 max-md:px-3.5 max-md:py-4">
        {hasHeading && (
          <h2 className="text-title font-semibold tracking-tight">{text.sections[name]}</h2>
        )}
        <ErrorBoundary what={strings.parts.settings}>
          <View />
        </ErrorBoundary>
      </div>
    </div>
  );
}

interface ListProps {
  readonly current: SectionName | undefined;
  readonly query: string;
  readonly isPhone: boolean;
  readonly onQuery: (query: string) => void;
}

function SectionList({ current, query, isPhone, onQuery }: ListProps) {
  const found = searchSettings(query);
  const isSearching = query.trim() !== "";
  return (
    <nav
      aria-label={text.sectionList}
      className={`flex flex-col gap-2 overflow-y-auto p-3 ${isPhone ? "flex-1" : "w-60 shrink-0 border-e border-line max-lg:w-52"}`}
    >
      <label className="relative block">
        <span className="sr-only">{text.search}</span>
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 start-2.5 my-auto text-faint"
        />
        <input
          type="search"
          className="field ps-8"
          data-role="settings-search"
          placeholder={text.search}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
        />
      </label>
      {isSearching && found.length === 0 && (
        <p className="px-2 text-control text-dim" role="status">
          {text.noResults}
        </p>
      )}
      <ul className="flex flex-col gap-px">
        {isSearching
          ? found.map(({ section, label }) => (
              <SectionLink
                key={`${section}/${label}`}
                section={section}
                label={label}
                {...(label !== text.sections[section] && { detail: text.sections[section] })}
              />
            ))
          : sectionNames.map((name) => (
              <SectionLink
                key={name}
                section={name}
                label={text.sections[name]}
                isCurrent={name === current}
              />
            ))}
      </ul>
    </nav>
  );
}

function SectionLink(props: {
  readonly section: SectionName;
  readonly label: string;
  readonly detail?: string;
  readonly isCurrent?: boolean;
}) {
  const { section, label, detail, isCurrent = false } = props;
  const { icon: Icon } = sections[section];
  return (
    <li>
      <Link
        href={sectionPath(section)}
        className="nav-row pointer-coarse:min-h-11"
        aria-current={isCurrent ? "page" : undefined}
      >
        <Icon aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 flex-1 py-1">
          <span className="block truncate">{label}</span>
          {detail !== undefined && (
            <span className="block truncate text-small text-faint">{detail}</span>
          )}
        </span>
      </Link>
    </li>
  );
}
