import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptContent } from "../../../host/src/control/prompt.ts";
import { isInside, openInside } from "@signalbox/host/system";
import { findFiles } from "../../src/supervise/find-files.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { makePng } from "@signalbox/testing/pictures";

setDefaultTimeout(180_000);

const SWAPS = 10_000;

/**
 * While another process swaps a folder for a link, `work` is done again and again: until it has swapped
 * 10,000 times and the test has seen what it has to see, however the two share the machine.
 */
async function during(
  folder: string,
  elsewhere: string,
  work: () => Promise<void>,
  hasSeenEnough: () => boolean,
) {
  const script = join(import.meta.dir, "swap-links.mjs");
  const child = Bun.spawn([process.execPath, script, folder, elsewhere, String(SWAPS)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const swapped = { said: "" };
  const first = child.stdout.getReader().read();
  void first.then(({ value }) => (swapped.said = new TextDecoder().decode(value) || "it ended"));
  try {
    while (swapped.said === "" || !hasSeenEnough()) await work();
    expect(swapped.said).toBe(`${SWAPS}\n`);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

/** A folder to work in, and beside it one whose name begins the same and that is none of its business. */
function places() {
  const place = tempFolder();
  const work = join(place.path, "work");
  const secrets = join(place.path, "work-secrets");
  mkdirSync(join(work, "src", "deep"), { recursive: true });
  mkdirSync(join(secrets, "deep"), { recursive: true });
  writeFileSync(join(work, "src", "deep", "ours.txt"), "");
  for (const name of ["secret.txt", "deep/secret.txt"]) writeFileSync(join(secrets, name), "");
  return { work, secrets, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

test("[LK40] files are not found through a link that replaces a folder, in 10,000 tries", async () => {
  using place = places();
  let [times, seen] = [0, 0];
  const look = async () => {
    const found = await findFiles(place.work, "");
    if (found.some((file) => file.includes("secret"))) throw new Error(found.join(" "));
    times += 1;
    if (found.includes("src/deep/ours.txt")) seen += 1;
  };
  const enough = () => times > 10 && seen > 0;
  await during(join(place.work, "src"), place.secrets, look, enough);
});

test("[LK40] an open folder belongs to the root, even if its name is replaced, in 10,000 tries", async () => {
  using place = places();
  let [inside, refused] = [0, 0];
  const open = async () => {
    await using folder = await openInside(place.work, "src/deep");
    if (!folder) {
      refused += 1;
      return;
    }
    inside += 1;
    expect(readdirSync(folder.path)).toEqual(["ours.txt"]);
    expect(await isInside(place.work, "src/deep/secret.txt")).toBe(false);
  };
  const bothHappened = () => inside > 0 && refused > 0; // it did swap under our eyes
  await during(join(place.work, "src"), place.secrets, open, bothHappened);
});

test("[LK40] images are not written through a link that replaces their folder, in 10,000 tries", async () => {
  using place = places();
  mkdirSync(join(place.work, ".signalbox"));
  const before = readdirSync(place.secrets, { recursive: true });
  const prompt = { text: "look", images: [{ data: makePng(1, 1) }] };
  let written = 0;
  const write = async () => {
    const content = await promptContent(prompt, { images: false }, place.work).catch(
      () => undefined,
    );
    if (content !== undefined) written += 1;
  };
  await during(join(place.work, ".signalbox"), place.secrets, write, () => written > 0);
  expect(readdirSync(place.secrets, { recursive: true })).toEqual(before);
});

test("[LK40] a path that leads out of a root is outside, also if it begins with the root's name", async () => {
  using place = places();
  symlinkSync(place.secrets, join(place.work, "link"));
  symlinkSync("/proc/self", join(place.work, "self"));
  symlinkSync("secret.txt", join(place.work, "dangling"));
  const outside = [
    "../work-secrets/secret.txt",
    "link/secret.txt",
    "link/deep/secret.txt",
    "self/environ",
    "src/../../work-secrets/secret.txt",
    "/../work-secrets/secret.txt",
    "../../../../../../../../etc/passwd",
    "src/deep/ours.txt\0",
    "src/\0/ours.txt",
    "src/deep/ours.txt/x",
    "missing",
  ];
  for (const path of outside)
    expect([path, await isInside(place.work, path)]).toEqual([path, false]);
  for (const path of ["src/deep/ours.txt", "link", "dangling", "src/../src/deep/ours.txt"]) {
    expect([path, await isInside(place.work, path)]).toEqual([path, true]);
  }
  expect(readlinkSync(join(place.work, "link"))).toBe(place.secrets);
});
