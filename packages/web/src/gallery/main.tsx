import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Gallery } from "./gallery.tsx";
import type { Recorded } from "./specimens.ts";

const theme = new URLSearchParams(location.search).get("theme");
if (theme !== null) document.documentElement.dataset["theme"] = theme;

const root = document.getElementById("root");
const recordings = (await (await fetch("/gallery-items.json")).json()) as readonly Recorded[];
if (root) {
  // The error boundary shows these errors; the gallery has one on purpose.
  createRoot(root, { onCaughtError: () => undefined }).render(
    <StrictMode>
      <Gallery recordings={recordings} />
    </StrictMode>,
  );
}
