// Where Chromium is; installs Debian's when there is none. Imports nothing but Node.
import { pathToFileURL } from "node:url";
import { ensurePrograms, findProgram, programs } from "./ensure-programs.mjs";

/** What every start of it is given: it runs in containers, as root, with no screen and no network. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--no-first-run",
];

/** The path of a Chromium that can be started. Throws, with what to do, when there is none to be had. */
export function ensureChromium() {
  const wanted = programs.filter(({ names }) => names.includes("chromium"));
  ensurePrograms(wanted);
  const [found] = wanted.map(findProgram);
  if (found !== undefined) return found;
  throw new Error(
    "Chromium is not installed and `apt-get install chromium` did not bring it. Install it, or name it in SIGNALBOX_CHROMIUM.",
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(ensureChromium());
}
