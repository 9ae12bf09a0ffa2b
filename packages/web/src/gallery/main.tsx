import type { Item } from "@signalbox/timeline";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

interface Recorded {
  readonly version: string;
  readonly story: string;
  readonly items: readonly Item[];
}

const root = document.getElementById("root");
const recorded = (await (await fetch("/gallery-items.json")).json()) as readonly Recorded[];
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main className="p-4 text-body">{recorded.length} recordings</main>
    </StrictMode>,
  );
}
