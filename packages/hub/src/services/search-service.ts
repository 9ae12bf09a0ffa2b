import type { SearchResults } from "@signalbox/api";
import type { RouteQuery } from "@signalbox/api/routes";
import { HubRefusal } from "../refusal.ts";
import { parseQuery } from "../search/parse-query.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { Sessions } from "../session/sessions.ts";
import { isTrashed } from "../session/trash.ts";
import type { Machines } from "./machines.ts";

interface SearchServiceOptions {
  readonly sessions: Sessions;
  readonly machines: Machines;
  /** Undefined: this engine has no index. */
  readonly index: SearchIndex | undefined;
  readonly now: () => number;
}

/** Finds what was said, done and shown in all sessions. */
export class SearchService {
  readonly #options: SearchServiceOptions;

  constructor(options: SearchServiceOptions) {
    this.#options = options;
  }

  async search({ q, session, limit }: RouteQuery<"GET /api/search">): Promise<SearchResults> {
    const { sessions, index } = this.#options;
    if (session !== undefined) sessions.get(session);
    if (!index) throw new HubRefusal(503, "search-off", "This hub has no search index.");
    const now = this.#options.now();
    const query = parseQuery(q, now);
    const within = session === undefined ? this.#listWithin(query.projects) : [session];
    const found = await index
      .search({ query, sessions: within, limit, now })
      .catch((failure: unknown) => {
        throw new HubRefusal(503, "search-off", (failure as Error).message);
      });
    const hits = found.hits.flatMap((hit) => {
      const found = sessions.find(hit.session); // it may have been deleted meanwhile
      if (!found || isTrashed(found)) return [];
      const { summary, transcript } = found;
      const { title, folder } = summary;
      const isImported = transcript?.isImported === true;
      return [{ ...hit, title, folder, isImported, snippet: [...hit.snippet] }];
    });
    return { hits, more: found.more, pending: index.pending, problems: [...query.problems] };
  }

  /** The sessions whose folder or machine has each of these in its name; undefined: all sessions. */
  #listWithin(projects: readonly string[]): string[] | undefined {
    if (projects.length === 0) return undefined;
    const machines = new Map(
      this.#options.machines.list().map(({ id, machine }) => [id, machine.toLowerCase()]),
    );
    return this.#options.sessions.list().flatMap(({ id, row }) => {
      const name = `${machines.get(row.runner) ?? ""}:${row.folder.toLowerCase()}`;
      return projects.every((project) => name.includes(project)) ? [id] : [];
    });
  }
}
