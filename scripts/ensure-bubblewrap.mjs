// Sees to it that bubblewrap is there, in which agents are isolated; installs Debian's when there is none.
// Imports nothing but Node.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

function find() {
  const { PATH = "" } = process.env;
  return PATH.split(delimiter)
    .map((folder) => join(folder, "bwrap"))
    .find((place) => existsSync(place));
}

function install() {
  console.error("signalbox: installing bubblewrap (once)…");
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  for (const args of [
    ["update", "-q"],
    ["install", "-y", "-q", "--no-install-recommends", "bubblewrap"],
  ]) {
    spawnSync("apt-get", args, options);
  }
  return find();
}

const found = process.platform === "linux" ? (find() ?? install()) : undefined;
if (found === undefined) {
  console.error(
    "signalbox: bubblewrap could not be installed; the tests of isolated agents are skipped.",
  );
  process.exit(1);
}
console.log(found);
