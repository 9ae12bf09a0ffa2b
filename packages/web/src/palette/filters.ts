import { strings } from "../strings/strings.ts";

const text = strings.palette;
const names = Object.keys(text.filters) as readonly (keyof typeof text.filters)[];
/** A filter that is typed completely: a space follows it. */
const FILTER = new RegExp(`(?:^|\\s)-?((?:${names.join("|")}):(?:"[^"]+"|[^\\s"]+))\\s`, "i");

/** Takes the filters out of what is typed, as soon as each is complete. */
export function takeFilters(typed: string): { readonly text: string; readonly filters: string[] } {
  const filters: string[] = [];
  let rest = typed;
  for (let found = FILTER.exec(rest); found; found = FILTER.exec(rest)) {
    filters.push(found[1] ?? "");
    rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`.trimStart();
  }
  return { text: rest, filters };
}

/** What a filter says on its chip. */
export function describeFilter(filter: string): string {
  const colon = filter.indexOf(":");
  const name = names.find((each) => each === filter.slice(0, colon).toLowerCase());
  const value = filter.slice(colon + 1).replaceAll('"', "");
  const days = /^(\d+)d$/.exec(value)?.[1];
  if (name === "after" && days !== undefined) return text.lastDays(days);
  return name ? text.filters[name](value) : filter;
}
