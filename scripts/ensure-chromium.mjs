// Where Chromium is; installs Debian's when there is none. Imports nothing but Node.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** What every start of it is given: it runs in containers, as root, with no screen and no network. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--no-first-run",
];

function find() {
  const { SIGNALBOX_CHROMIUM, PATH = "" } = process.env;
  if (SIGNALBOX_CHROMIUM) return SIGNALBOX_CHROMIUM;
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place));
}

/** The path of a Chromium that can be started. Throws, with what to do, when there is none to be had. */
export function ensureChromium() {
  const found = find();
  if (found) return found;
  console.error("signalbox: installing chromium (once)…");
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  for (const args of [
    ["update", "-q"],
    ["install", "-y", "-q", "--no-install-recommends", "chromium"],
  ]) {
    spawnSync("apt-get", args, options);
  }
  const installed = find();
  if (installed) return installed;
  throw new Error(
    "Chromium is not installed and `apt-get install chromium` did not bring it. Install it, or name it in SIGNALBOX_CHROMIUM.",
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(ensureChromium());
}
