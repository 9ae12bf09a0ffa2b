// `npm run build:binary` writes one program that needs neither Node nor npm: Bun, every package and the page in
// one file. `-- --out FILE` names it (default: release/signalbox). docs/releasing.md describes it.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildPackages } from "../release/build.ts";
import { packPackages } from "../release/pack.ts";
import { listPublishedPackages, root } from "../release/packages.ts";
import { run } from "../release/run.ts";

const { values } = parseArgs({
  options: { out: { type: "string", default: join(root, "release/signalbox") } },
});
const out = resolve(values.out);
const place = mkdtempSync(join(tmpdir(), "signalbox-binary-"));
try {
  const packages = listPublishedPackages().filter(({ folder }) => !folder.endsWith("/react"));
  await buildPackages(packages.map(({ folder }) => folder));
  const tarballs = await packPackages(packages, { out: join(place, "tarballs") });
  const program = join(place, "program");
  await installPackages(program, tarballs);
  removeUnused(join(program, "node_modules"));
  const source = join(place, "source");
  mkdirSync(source);
  await run("tar", ["-czf", join(source, "packages.tgz"), "-C", program, "node_modules"]);
  cpSync(join(import.meta.dir, "main.ts"), join(source, "main.ts"));
  mkdirSync(dirname(out), { recursive: true });
  // Without these options, the program would run what the folder that it is started in tells Bun to.
  const nothingOfTheFolder = [
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-tsconfig",
  ];
  const entry = join(source, "main.ts");
  await run(process.execPath, [
    "build",
    "--compile",
    "--compile-autoload-package-json",
    ...nothingOfTheFolder,
    entry,
    "--outfile",
    out,
  ]);
  const size = (Bun.file(out).size / 1024 ** 2).toFixed(0);
  console.log(`Wrote ${out} (${size} MiB).`);
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

/** Installs the tarballs as users get them, without the Claude Code that the Agent SDK brings. */
async function installPackages(
  folder: string,
  tarballs: readonly { readonly name: string; readonly path: string }[],
): Promise<void> {
  mkdirSync(folder);
  const dependencies = Object.fromEntries(tarballs.map(({ name, path }) => [name, `file:${path}`]));
  const project = {
    name: "signalbox-binary",
    private: true,
    dependencies,
    overrides: dependencies,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  const flags = ["--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags], { cwd: folder });
}

/** Bun is the program itself. Claude Code, an optional package, is what people have installed. */
function removeUnused(modules: string): void {
  for (const name of ["bun", "@oven", ".bin", ".package-lock.json"])
    rmSync(join(modules, name), { recursive: true, force: true });
  for (const file of readdirSync(modules, { recursive: true, encoding: "utf8" })) {
    const isUnused = /\.(?:d\.[cm]?ts|map|md|markdown)$/i.test(file) && !isLicense(file);
    if (isUnused) rmSync(join(modules, file), { force: true });
  }
}

function isLicense(file: string): boolean {
  return /licen[sc]e|notice|copying/i.test(basename(file));
}
