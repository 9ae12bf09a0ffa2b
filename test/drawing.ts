/** What the code of a package may rely on: the less, the more places it runs in. */
export type Ground = "browser" | "any runtime" | "Bun";

export interface Layer {
  /** The packages of ours that it may import. */
  readonly imports: readonly string[];
  /** Those of which it may import types, by `import type`, and nothing that runs. */
  readonly types?: readonly string[];
  /** Modules of those that run anywhere and weigh little: they may be imported whole. */
  readonly modules?: readonly string[];
  readonly runsOn: Ground;
  /** It is published built, with all that it imports inside: its imports are development dependencies. */
  readonly isBundled?: boolean;
}

/** The import drawing of AGENTS.md, by folder: every package, also those still to come. */
export const drawing: Readonly<Record<string, Layer>> = {
  protocol: { imports: [], runsOn: "browser" },
  api: {
    imports: [],
    types: ["timeline"],
    modules: ["@signalbox/protocol/text"],
    runsOn: "browser",
  },
  timeline: { imports: ["protocol"], runsOn: "browser" },
  host: {
    imports: ["protocol"],
    types: ["api"],
    modules: ["@signalbox/api/constants"],
    runsOn: "Bun",
  },
  runner: { imports: ["host", "protocol", "api"], runsOn: "Bun" },
  agent: {
    imports: ["protocol"],
    types: ["api"],
    modules: ["@signalbox/api/proof"],
    runsOn: "any runtime",
  },
  "reference-agent": { imports: ["agent", "protocol"], runsOn: "any runtime" },
  hub: { imports: ["runner", "host", "timeline", "protocol", "api"], runsOn: "Bun" },
  relay: { imports: ["hub", "runner", "host", "protocol", "api"], runsOn: "Bun" },
  client: {
    imports: [],
    types: ["timeline", "api"],
    modules: [
      "@signalbox/api/constants",
      "@signalbox/api/proof",
      "@signalbox/protocol/backoff",
      "@signalbox/protocol/proxy",
      "@signalbox/protocol/text",
      "@signalbox/timeline/view",
    ],
    runsOn: "browser",
  },
  web: {
    imports: ["client"],
    types: ["timeline", "api"],
    modules: [
      "@signalbox/api/constants",
      "@signalbox/protocol/proxy",
      "@signalbox/protocol/text",
      "@signalbox/timeline/view",
    ],
    runsOn: "browser",
    isBundled: true,
  },
  /** Parts of the page for the pages of other programs, built from the page's sources. */
  react: { imports: ["client", "web"], runsOn: "browser", isBundled: true },
  cli: {
    imports: [
      "protocol",
      "api",
      "timeline",
      "host",
      "runner",
      "reference-agent",
      "hub",
      "relay",
      "client",
      "web",
      "model",
    ],
    runsOn: "Bun",
  },
  /** What the tests of all packages share: no package's `src` may import it, and it is not published. */
  testing: {
    imports: [
      "protocol",
      "api",
      "timeline",
      "host",
      "runner",
      "agent",
      "reference-agent",
      "hub",
      "relay",
      "client",
      "cli",
      "model",
    ],
    runsOn: "Bun",
  },
  /** A test double: only the command line and tests may know it. */
  model: { imports: [], runsOn: "any runtime" },
};

/** Which folder a package name stands for; undefined: it is not ours. */
export function getFolder(packageName: string): string | undefined {
  if (packageName === "signalbox") return "cli";
  return /^@signalbox\/(.+)$/.exec(packageName)?.[1];
}
