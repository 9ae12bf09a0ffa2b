import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

const packageFolder = join(import.meta.dirname, "../..");

/** Builds the example as its author would, with the package as it is built for publishing. */
export default defineConfig({
  plugins: [react()],
  resolve: {
    conditions: ["bun", ...defaultClientConditions],
    alias: [
      { find: /^@signalbox\/react$/, replacement: join(packageFolder, "dist/index.js") },
      { find: "@signalbox/react/styles.css", replacement: join(packageFolder, "dist/styles.css") },
    ],
    dedupe: ["react", "react-dom"],
  },
  build: { target: "es2023", emptyOutDir: true },
});
