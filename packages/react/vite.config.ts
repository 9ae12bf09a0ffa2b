import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { defaultClientConditions, defineConfig } from "vite";
import { characterReferences } from "../web/build/character-references.ts";
import { declarations } from "./build/declarations.ts";
import { scopedStyles } from "./build/scoped-styles.ts";

const REACT = /^react(?:-dom)?(?:\/|$)/;
const here = import.meta.dirname;

/** The components as one module with its styles; React and the client come from whoever uses them. */
export default defineConfig({
  root: here,
  base: "./",
  publicDir: false,
  plugins: [
    react(),
    tailwindcss(),
    characterReferences(),
    esmExternalRequirePlugin({ external: [REACT] }), // also for libraries that ask by `require`
    scopedStyles(),
    declarations(join(here, "src/declarations.ts")),
  ],
  resolve: { conditions: ["bun", ...defaultClientConditions] },
  worker: { format: "es" },
  build: {
    outDir: join(here, "dist"),
    emptyOutDir: true,
    target: "es2023",
    cssTarget: "chrome123", // knows light-dark(), which is then left as written
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: join(here, "src/index.tsx") },
      preserveEntrySignatures: "strict",
      external: ["@signalbox/client"],
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "parts/[name]-[hash].js",
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith(".css"))
            ? "styles.css"
            : "parts/[name]-[hash][extname]",
      },
    },
  },
});
