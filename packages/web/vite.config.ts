import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { characterReferences } from "./build/character-references.ts";
import { diagramFrame } from "./build/diagram/frame.ts";
import { fileList } from "./build/file-list.ts";
import { gallery } from "./build/gallery.ts";

/** `vite build --mode gallery` adds the gallery; the page as published has none of it. */
export default defineConfig(({ mode }) => {
  const withGallery = mode === "gallery";
  return {
    root: import.meta.dirname,
    plugins: [
      react(),
      tailwindcss(),
      characterReferences(),
      gallery({ build: withGallery }),
      diagramFrame(),
      fileList(),
    ],
    // Our packages are read as sources, as everywhere in this repository.
    resolve: { conditions: ["bun", ...defaultClientConditions] },
    worker: { format: "es" },
    build: {
      outDir: withGallery ? "dist-gallery" : "dist",
      emptyOutDir: true,
      target: "es2023",
      cssTarget: "chrome123", // knows light-dark(), which is then left as written
      manifest: true,
      // The polyfill is a script that old browsers need, and a file more for the others.
      modulePreload: { polyfill: false },
      // Nothing is put into the page or its styles as data: the hub's policy allows its own files alone.
      assetsInlineLimit: 0,
      rolldownOptions: { input: withGallery ? ["index.html", "gallery.html"] : ["index.html"] },
    },
  };
});
