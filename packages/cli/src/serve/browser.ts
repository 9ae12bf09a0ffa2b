import { spawn } from "node:child_process";

const openCommands: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "open",
  win32: "explorer",
};

/**
 * Opens an address in the person's browser. Never one that carries a code: what stands on a command
 * line can be read by every user of the machine.
 */
export function openInBrowser(address: string): void {
  const program = openCommands[process.platform] ?? "xdg-open";
  const child = spawn(program, [address], { stdio: "ignore", detached: true });
  child.on("error", () => console.error(`No browser could be opened. Open ${address} yourself.`));
  child.unref();
}
