import type { SearchHitView } from "@signalbox/api";
import { Search, X } from "lucide-react";
import {
  Fragment,
  type KeyboardEvent,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { LampView } from "../ui/lamp-view.tsx";
import { Modal } from "../ui/modal.tsx";
import { isPlainEnter } from "../browser/typing.ts";
import { revealItem } from "../conversation/reveal.ts";
import { go, type PageRoute, sessionPath } from "../navigation/router.ts";
import { abbreviateHome } from "../text/path.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { listEntries, filterEntries, type PaletteEntry } from "./commands.ts";
import { describeFilter, takeFilters } from "./filters.ts";
import { HitRow } from "./hit-row.tsx";
import { getShownResults, useSearch } from "./use-search.ts";
import { PathText } from "../text/path-text.tsx";
import { inert } from "../text/visible.ts";

const text = strings.palette;
const MAX_ENTRIES = 50;
/** How many sessions and actions stand above and below the messages that were found. */
const MAX_BESIDE_HITS = 5;

type Row =
  | { readonly key: string; readonly group: string; readonly entry: PaletteEntry }
  | { readonly key: string; readonly group: string; readonly hit: SearchHitView };

/** The palette: sessions, what was said and done in them, and actions. */
export default function Palette({ route, onClose }: { route: PageRoute; onClose: () => void }) {
  const app = useAppContext();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [filters, setFilters] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  // The entries do not change while the palette is open.
  const entries = useMemo(() => listEntries(app, route), [app, route]);
  const query = useDeferredValue([...filters, typed].join(" "));
  const search = useSearch(query);
  const results = getShownResults(search);
  const rows = useMemo(
    () => listRows(entries, typed, filters.length > 0, results?.hits ?? [], results?.more ?? false),
    [entries, typed, filters, results],
  );
  const current = Math.min(at, rows.length - 1);
  const change = (next: string) => {
    const taken = takeFilters(next);
    setTyped(taken.text);
    if (taken.filters.length > 0) setFilters([...new Set([...filters, ...taken.filters])]);
    setAt(0);
  };
  const run = (row: Row | undefined) => {
    if (!row) return;
    onClose();
    if ("entry" in row) return row.entry.run();
    go(sessionPath(row.hit.session));
    revealItem(row.hit.session, row.hit.item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((current + 1) % Math.max(1, rows.length));
    else if (event.key === "ArrowUp") setAt((current + rows.length - 1) % Math.max(1, rows.length));
    else if (event.key === "Backspace" && typed === "" && filters.length > 0) {
      setFilters(filters.slice(0, -1));
    } else if (isPlainEnter(event)) run(rows[current]);
    else return;
    event.preventDefault();
    document.getElementById(`${list}-${current}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Modal title={text.title} bare first={input} onClose={onClose}>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4">
        <Search aria-hidden="true" className="shrink-0 text-dim" />
        <input
          className="min-w-40 flex-1 bg-transparent py-3.5 text-large outline-none placeholder:text-faint"
          ref={input}
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={`${list}-${current}`}
          aria-label={text.field}
          placeholder={filters.length > 0 ? "" : text.placeholder}
          value={typed}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {filters.map((filter) => (
          <button
            key={filter}
            type="button"
            className="chip shrink-0"
            data-role="search-filter"
            aria-label={text.removeFilter(describeFilter(filter))}
            onClick={() => {
              setFilters(filters.filter((each) => each !== filter));
              input.current?.focus();
            }}
          >
            {inert(describeFilter(filter))}
            <X aria-hidden="true" />
          </button>
        ))}
      </div>
      <ul id={list} role="listbox" aria-label={text.title} className="overflow-y-auto p-1">
        {rows.map((row, index) => (
          <Fragment key={row.key}>
            {row.group !== "" && row.group !== rows[index - 1]?.group && (
              <li role="presentation" className="menu-label">
                {row.group}
              </li>
            )}
            <li
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === current}
              data-highlighted={index === current ? "" : undefined}
              data-role={"hit" in row ? "search-hit" : undefined}
              className="menu-item px-3"
              onClick={() => run(row)}
            >
              {"hit" in row ? <HitRow hit={row.hit} /> : <EntryRow entry={row.entry} />}
            </li>
          </Fragment>
        ))}
        {rows.length === 0 && (
          <li className="p-3 text-dim">
            {search.kind === "searching" ? text.searching : text.noResults}
          </li>
        )}
      </ul>
      <SearchNotes
        problems={results?.problems ?? []}
        pending={results?.pending ?? 0}
        hasFailed={search.kind === "failed"}
        isEmpty={typed === "" && filters.length === 0}
      />
    </Modal>
  );
}

/** What is shown, in order: sessions by name and messages, then actions. */
function listRows(
  entries: readonly PaletteEntry[],
  typed: string,
  isFiltered: boolean,
  hits: readonly SearchHitView[],
  more: boolean,
): readonly Row[] {
  const isPlain = typed.trim() === "" && !isFiltered;
  const matching = isFiltered ? [] : filterEntries(entries, typed).slice(0, MAX_ENTRIES);
  const toRow = (entry: PaletteEntry, group: string): Row => ({ key: entry.id, group, entry });
  if (isPlain) return matching.map((entry) => toRow(entry, text.groups[entry.group]));
  if (hits.length === 0) return matching.map((entry) => toRow(entry, ""));
  const found = text.messages(more ? `${hits.length}+` : String(hits.length));
  const isSession = ({ group }: PaletteEntry) => group === "sessions";
  return [
    ...matching
      .filter(isSession)
      .slice(0, MAX_BESIDE_HITS)
      .map((entry) => toRow(entry, found)),
    ...hits.map((hit): Row => ({ key: `${hit.session}/${hit.item}`, group: found, hit })),
    ...matching
      .filter((entry) => !isSession(entry))
      .slice(0, MAX_BESIDE_HITS)
      .map((entry) => toRow(entry, text.groups.actions)),
  ];
}

function EntryRow({ entry }: { readonly entry: PaletteEntry }) {
  return (
    <>
      <span className="grid w-4 shrink-0 place-items-center">
        {entry.lamp && <LampView lamp={entry.lamp} quiet />}
        {entry.icon && <entry.icon aria-hidden="true" />}
      </span>
      <span className="min-w-0 grow truncate" data-tip={inert(entry.label)}>
        {inert(entry.label)}
      </span>
      {entry.note !== undefined && (
        <PathText
          path={abbreviateHome(entry.note)}
          whole={entry.note}
          className="max-w-1/2 text-small text-faint"
        />
      )}
    </>
  );
}

/** What a person should know about the results, or can type. */
function SearchNotes(props: {
  readonly problems: readonly string[];
  readonly pending: number;
  readonly hasFailed: boolean;
  readonly isEmpty: boolean;
}) {
  const { problems, pending, hasFailed, isEmpty } = props;
  const notes = [
    ...(hasFailed ? [text.couldNotSearch] : []),
    ...problems,
    ...(pending > 0 && !isEmpty ? [text.pending(pending)] : []),
  ];
  if (notes.length === 0 && !isEmpty) return null;
  return (
    <p
      className="shrink-0 border-t border-line px-4 py-2 text-small text-faint"
      role="status"
      data-role="search-notes"
    >
      {notes.length > 0 ? inert(notes.join(" ")) : text.hint}
    </p>
  );
}
