import { signal, useSignal } from "../store/signal.ts";

export type Place =
  | { readonly at: "board" }
  | { readonly at: "inbox" }
  | { readonly at: "session"; readonly session: string }
  | { readonly at: "settings" }
  | { readonly at: "unsent" }
  | { readonly at: "pair" }
  | { readonly at: "nowhere"; readonly path: string };

export function placeOf(path: string): Place {
  if (path === "/" || path === "") return { at: "board" };
  if (path === "/inbox") return { at: "inbox" };
  if (path === "/settings") return { at: "settings" };
  if (path === "/unsent") return { at: "unsent" };
  if (path === "/pair") return { at: "pair" };
  const session = /^\/s\/([0-9a-f-]{36})$/.exec(path)?.[1];
  return session === undefined ? { at: "nowhere", path } : { at: "session", session };
}

const path = signal(typeof location === "undefined" ? "/" : location.pathname);
if (typeof window !== "undefined") {
  window.addEventListener("popstate", () => path.set(location.pathname));
}

export function go(to: string, replace = false): void {
  if (to === location.pathname) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  path.set(to);
}

export const sessionPath = (session: string) => `/s/${session}`;

export function usePlace(): Place {
  return placeOf(useSignal(path));
}
