import type { ISearchDecorationOptions } from "@xterm/addon-search";
import type { ITheme } from "@xterm/xterm";

/** The colors of terminals, light and dark: readable on the page's own grounds. */
const palettes = {
  dark: {
    black: "#3a3d42",
    red: "#f2686f",
    green: "#4cc38a",
    yellow: "#f0a839",
    blue: "#7aa2ff",
    magenta: "#c99bff",
    cyan: "#5cc8d7",
    white: "#c8cacd",
    brightBlack: "#7d8289",
    brightRed: "#ff8f94",
    brightGreen: "#74dba8",
    brightYellow: "#ffc466",
    brightBlue: "#a3bfff",
    brightMagenta: "#ddbfff",
    brightCyan: "#8fdfe9",
    brightWhite: "#ffffff",
  },
  light: {
    black: "#1b1c1e",
    red: "#b8252f",
    green: "#187f46",
    yellow: "#8a5200",
    blue: "#2f5fd0",
    magenta: "#8a3ab9",
    cyan: "#0f7480",
    white: "#6a6f76",
    brightBlack: "#5c6066",
    brightRed: "#c9313c",
    brightGreen: "#1a8a4c",
    brightYellow: "#9a5b00",
    brightBlue: "#3f6fe0",
    brightMagenta: "#9a4ac9",
    brightCyan: "#118391",
    brightWhite: "#1b1c1e",
  },
} as const;

/** The terminal's colors as the page shows them now, in which its elements are drawn. */
export function readTheme(element: Element): ITheme {
  const isDark = resolveScheme(element) === "dark";
  return {
    background: isDark ? "#0c0d0e" : "#f6f6f5",
    foreground: isDark ? "#ececed" : "#1b1c1e",
    cursor: isDark ? "#ececed" : "#1b1c1e",
    cursorAccent: isDark ? "#0c0d0e" : "#f6f6f5",
    selectionBackground: isDark ? "#7aa2ff4d" : "#2f5fd04d",
    ...palettes[isDark ? "dark" : "light"],
  };
}

/** The colors of what find has found. */
export function readMatchColors(element: Element): ISearchDecorationOptions {
  const isDark = resolveScheme(element) === "dark";
  const match = isDark ? "#5c4720" : "#ffe9bd";
  const active = isDark ? "#96691c" : "#f7c768";
  return {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    activeMatchColorOverviewRuler: active,
  };
}

function resolveScheme(element: Element): "light" | "dark" {
  const scheme = getComputedStyle(element).colorScheme;
  if (scheme === "light" || scheme === "dark") return scheme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Calls the listener when the page's colors may have changed. Returns a function that unsubscribes. */
export function watchTheme(listener: () => void): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", listener);
  };
}
