// Packs every package, installs the tarballs in an empty folder as users do, with npm on Node and with
// Bun, and uses them there. It needs the npm registry. `npm run test:install` runs it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { readExamples } from "../../scripts/examples/documents.ts";
import { listPublishedPackages } from "../../scripts/release/packages.ts";
import { run } from "../../scripts/release/run.ts";
import { exampleRuns } from "./example-runs.ts";

setDefaultTimeout(900_000);

const packages = listPublishedPackages();
const { version } = packages[0]?.manifest ?? { version: "" };
const names = Object.keys(exampleRuns);

const place = mkdtempSync(join(tmpdir(), "signalbox-published-"));
const tarballs = join(place, "tarballs");
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

beforeAll(async () => {
  await run("npm", ["run", "release", "--", "--dry-run", "--out", tarballs]);
});

/** Nothing of the person's own account, and only the caches and the registry of their npm. */
function environment(home: string): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|npm_config_)/i.test(name),
  );
  const { HOME = "" } = process.env;
  return {
    ...Object.fromEntries(passed),
    npm_config_userconfig: join(HOME, ".npmrc"),
    npm_config_cache: join(HOME, ".npm"),
    HOME: home,
    TMPDIR: home,
  };
}

/** What a program can import: the command line has nothing, the page is files. */
const libraries = packages.filter(({ folder }) => !/\/(?:cli|web|react)$/.test(folder));

test.each(libraries.map(({ manifest }) => manifest.name))(
  "the types and the code of every subpath resolve alike: %s",
  async (name) => {
    // It is the path of a program, not a module.
    const program = name === "@signalbox/reference-agent";
    const left = program ? ["--exclude-entrypoints", "./program"] : [];
    await run("attw", [join(tarballs, tarballName(name)), "--profile", "esm-only", ...left]);
  },
);

const runtimes = [
  { runtime: "Node", install: ["npm", "install", "--no-audit", "--no-fund"] },
  { runtime: "Bun", install: [process.execPath, "add"] },
];

describe.each(runtimes)("in an empty folder, installed for $runtime", ({ runtime, install }) => {
  const folder = join(place, runtime.toLowerCase());
  const home = join(place, `${runtime.toLowerCase()}-home`);
  const env = environment(home);
  const signalbox = join(folder, "node_modules/.bin/signalbox");
  const here = { cwd: folder, env };

  beforeAll(async () => {
    for (const path of [folder, home]) mkdirSync(path);
    // The components need React, which nothing else may bring.
    const files = readdirSync(tarballs).filter((file) => /^(?!.*react).*[.]tgz$/.test(file));
    const paths = files.map((file) => join(tarballs, file));
    const [program = "", ...args] = install;
    writeFileSync(join(folder, "package.json"), createProject(paths));
    if (runtime === "Node") await run(program, args, here);
    else await run(program, ["install"], here);
  });

  test("signalbox --version prints the version", async () => {
    expect(await run(signalbox, ["--version"], here)).toBe(`${version}\n`);
  });

  test("a demo session works", async () => {
    const printed = await run(signalbox, ["run", "--demo", "hello"], here);
    expect(printed).toContain("That was a whole session");
  });

  test("nothing is installed that only the build of the page needs", () => {
    const installed = readdirSync(join(folder, "node_modules"));
    expect(installed).toContain("signalbox");
    for (const name of ["react", "vite", "shiki", "mermaid", "katex", "tailwindcss"]) {
      expect(installed).not.toContain(name);
    }
  });

  test("the examples of the READMEs are correct under strict types", async () => {
    for (const name of names) {
      const readme = readFileSync(
        join(folder, `node_modules/@signalbox/${name}/README.md`),
        "utf8",
      );
      const [example] = readExamples(readme);
      writeFileSync(join(folder, `${name}.ts`), example?.code ?? "");
    }
    for (const [project, isBun] of [
      ["tsconfig.json", false],
      ["tsconfig.bun.json", true],
    ] as const) {
      writeFileSync(join(folder, project), createStrictProject(isBun));
      await run("tsc", ["-p", project], here);
    }
  });

  test.each(names)("the example of %s runs", async (name) => {
    const example = exampleRuns[name];
    if (!example) throw new Error(`there is no example of ${name}`);
    const isBun = runtime === "Bun" || example.needsBun === true;
    await using hub = name === "client" ? await startDemoHub(signalbox, here) : undefined;
    const args = [`built/${name}.js`, ...(hub ? [hub.link] : example.args)];
    const printed = await run(isBun ? process.execPath : "node", args, here);
    expect(printed).toContain(example.prints);
  });
});

function tarballName(name: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** A project that has every package from its tarball, also where one of them needs another. */
function createProject(paths: readonly string[]): string {
  const entries = packages.map(({ manifest: { name } }) => [
    name,
    `file:${paths.find((path) => basename(path) === tarballName(name))}`,
  ]);
  const dependencies = Object.fromEntries(entries) as Record<string, string>;
  const types = { "@types/bun": "1.4.4", "@types/node": "26.6.6" };
  const project = { name: "project", private: true, type: "module", dependencies };
  return JSON.stringify({ ...project, devDependencies: types, overrides: dependencies });
}

/** The strictest types, also of the packages: for the examples that need Bun with its types, else without. */
function createStrictProject(isBun: boolean): string {
  const examples = names.filter((name) => (exampleRuns[name]?.needsBun ?? false) === isBun);
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    lib: [isBun ? "esnext" : "es2023", "esnext.disposable", "dom", "dom.iterable"],
    types: [isBun ? "bun" : "node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: "built",
  };
  return JSON.stringify({ compilerOptions, files: examples.map((name) => `${name}.ts`) });
}

/** A demo hub in a process of its own, with the link that pairs a device. */
async function startDemoHub(program: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(program, ["serve", "--demo", "--port", "0"], {
    ...options,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [link] = /http:\S+#pair=\S+/.exec(line) ?? [];
    if (link !== undefined) return { link, [Symbol.asyncDispose]: close };
  }
  await close();
  throw new Error("the demo hub printed no link");
}
