// Puts a link to elsewhere in a folder's place and takes it away again: so many times, which it says then,
// and on until it is killed. Arguments: the folder, where the link leads, and how often. What is made in
// the folder's place meanwhile is removed.
import { renameSync, rmSync, symlinkSync, writeSync } from "node:fs";

const [folder, elsewhere, times] = process.argv.slice(2);
const aside = `${folder}.aside`;

function putLink() {
  renameSync(folder, aside);
  try {
    symlinkSync(elsewhere, folder);
    return true;
  } catch {
    return false; // a folder was made there, which is no swap
  }
}

function takeAway() {
  for (let tries = 0; ; tries += 1) {
    rmSync(folder, { recursive: true, force: true });
    try {
      return renameSync(aside, folder);
    } catch (failure) {
      if (tries > 1000) throw failure; // made again in between, but not that often
    }
  }
}

for (let swaps = 0; ;) {
  if (putLink()) swaps += 1;
  takeAway();
  if (swaps === Number(times)) writeSync(1, `${times}\n`);
}
