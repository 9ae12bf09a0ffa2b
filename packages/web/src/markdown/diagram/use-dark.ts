import { useSyncExternalStore } from "react";

const system = () => matchMedia("(prefers-color-scheme: dark)");

/** Whether the page uses the dark theme, chosen by the person or the system. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark, () => false);
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? system().matches : theme === "dark";
}

function subscribe(tell: () => void): () => void {
  const chosen = new MutationObserver(tell);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const preferred = system();
  preferred.addEventListener("change", tell);
  return () => {
    chosen.disconnect();
    preferred.removeEventListener("change", tell);
  };
}
