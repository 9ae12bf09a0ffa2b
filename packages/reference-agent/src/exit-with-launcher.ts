const LOOK_MS = 500;

/**
 * Exits when its launcher has died. In a checkout another process starts this one and forwards
 * signals. A killed launcher cannot do that, so this process ends itself and everything it runs.
 */
export function exitWithLauncher(): void {
  const launcher = Number(process.env["SIGNALBOX_AGENT_LAUNCHER"]);
  // Processes that are started from here have another launcher.
  delete process.env["SIGNALBOX_AGENT_LAUNCHER"];
  if (!launcher) return;
  setInterval(() => {
    if (process.ppid !== launcher) process.exit(1);
  }, LOOK_MS).unref();
}
