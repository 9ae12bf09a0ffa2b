// Which programs the tests need beside Node, npm and git, and the Debian packages that have them.
// `node scripts/ensure-programs.mjs` installs what is missing for `npm test`, with `-- faults` also what
// is missing for `npm run test:faults`. Imports nothing but Node.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/** `names`: any of these will do. `without`: what happens where it cannot be had. */
export const programs = [
  {
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    variable: "SIGNALBOX_CHROMIUM",
    package: "chromium",
    usedBy: "test",
    without: "the tests of the page fail",
  },
  {
    names: ["bwrap"],
    package: "bubblewrap",
    usedBy: "test",
    without: "the tests of isolated agents are skipped",
  },
  {
    names: ["openssl"],
    package: "openssl",
    usedBy: "test",
    without: "the tests of certificates are skipped",
  },
  {
    names: ["ip"],
    package: "iproute2",
    usedBy: "test",
    without: "the tests with a second machine are skipped",
  },
  {
    names: ["systemd-analyze"],
    package: "systemd",
    usedBy: "test",
    without: "the test of systemd's units is skipped",
  },
  {
    names: ["strace"],
    package: "strace",
    usedBy: "faults",
    without: "the tests of failing system calls are skipped",
  },
  {
    names: ["mkfs.ext4"],
    package: "e2fsprogs",
    usedBy: "faults",
    without: "the tests of a failing disk are skipped",
  },
  {
    names: ["ss"],
    package: "iproute2",
    usedBy: "faults",
    without: "the tests of many sockets fail",
  },
];

/** The path of a program, by the variable that names it or on the search path. */
export function findProgram({ names, variable }) {
  const { PATH = "", [variable ?? ""]: named } = process.env;
  if (named) return named;
  const folders = PATH.split(delimiter);
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place));
}

/** Installs the packages of those that are missing, all at once. Gives those that are missing still. */
export function ensurePrograms(wanted) {
  const missing = wanted.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0) return [];
  const packages = [...new Set(missing.map((program) => program.package))];
  console.error(`signalbox: installing ${packages.join(", ")} (once)…`);
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  for (const args of [
    ["update", "-q"],
    ["install", "-y", "-q", "--no-install-recommends", ...packages],
  ]) {
    spawnSync("apt-get", args, options);
  }
  return missing.filter((program) => findProgram(program) === undefined);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const uses = new Set(["test", ...process.argv.slice(2)]);
  const missing = ensurePrograms(programs.filter(({ usedBy }) => uses.has(usedBy)));
  for (const program of missing) {
    const { names, without } = program;
    console.error(
      `signalbox: ${names[0]} is missing and \`apt-get install ${program.package}\` did not bring it; ${without}.`,
    );
  }
  process.exitCode = missing.length === 0 ? 0 : 1;
}
