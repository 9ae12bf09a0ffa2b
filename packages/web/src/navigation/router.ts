import { signal, useSignal } from "../store/signal.ts";

export type PageRoute =
  | { readonly page: "board" }
  | { readonly page: "inbox" }
  | { readonly page: "sessions" }
  | { readonly page: "new" }
  | {
      readonly page: "session";
      readonly session: string;
      /** The terminal that is shown instead of the conversation: a shell's id, or the agent's own. */
      readonly terminal?: string;
      /** The view that is shown instead of the conversation. */
      readonly view?: "changes";
    }
  | { readonly page: "settings"; readonly section?: string }
  | { readonly page: "unsent" }
  | { readonly page: "pair" }
  | { readonly page: "nowhere"; readonly path: string };

export function parseRoute(path: string): PageRoute {
  if (path === "/" || path === "") return { page: "board" };
  if (path === "/inbox") return { page: "inbox" };
  if (path === "/new") return { page: "new" };
  if (path === "/sessions") return { page: "sessions" };
  if (path === "/settings") return { page: "settings" };
  const section = /^\/settings\/([a-z]+)$/.exec(path)?.[1];
  if (section !== undefined) return { page: "settings", section };
  if (path === "/unsent") return { page: "unsent" };
  if (path === "/pair") return { page: "pair" };
  const [, session, terminal, view] =
    /^\/s\/([0-9a-f-]{36})(?:\/terminal\/([0-9a-f-]{36}|agent)|\/(changes))?$/.exec(path) ?? [];
  if (session === undefined) return { page: "nowhere", path };
  return {
    page: "session",
    session,
    ...(terminal !== undefined && { terminal }),
    ...(view === "changes" && { view }),
  };
}

const path = signal(typeof location === "undefined" ? "/" : location.pathname);
if (typeof window !== "undefined") {
  window.addEventListener("popstate", () => path.set(location.pathname));
}

/** What happens instead of a navigation, where the address belongs to another program's page. */
let navigate: ((route: PageRoute) => void) | undefined;

export function navigateWith(follow: ((route: PageRoute) => void) | undefined): void {
  navigate = follow;
}

export function go(to: string, replace = false): void {
  if (navigate) return navigate(parseRoute(to));
  if (to === location.pathname) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  path.set(to);
}

export const sessionPath = (session: string) => `/s/${session}`;
export const terminalPath = (session: string, terminal: string) =>
  `${sessionPath(session)}/terminal/${terminal}`;

export const changesPath = (session: string) => `${sessionPath(session)}/changes`;

/** Stands for the id of the agent's own terminal, which is another one in each run. */
export const AGENT_TERMINAL = "agent";

export function useRoute(): PageRoute {
  return parseRoute(useSignal(path));
}
