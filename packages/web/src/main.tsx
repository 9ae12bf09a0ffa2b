import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main className="p-4 text-body">Signalbox</main>
    </StrictMode>,
  );
}
