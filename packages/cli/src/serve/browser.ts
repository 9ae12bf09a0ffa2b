import { spawn } from "node:child_process";

const openCommands: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "open",
  win32: "explorer",
};

/**
 * Opens an address in the person's browser. Never pass an address with a pairing code: every user of the
 * machine can read command lines.
 */
export function openInBrowser(address: string): void {
  const program = openCommands[process.platform] ?? "xdg-open";
  const child = spawn(program, [address], { stdio: "ignore", detached: true });
  child.on("error", () => console.error(`Couldn't open a browser. Open ${address} yourself.`));
  child.unref();
}
