const LOOK_MS = 500;

/**
 * In a checkout another process starts this one and hands signals on. One that was killed cannot: then
 * nobody leads what goes on here, and it is ended, with all that it runs.
 */
export function exitWithLauncher(): void {
  const launcher = Number(process.env["SIGNALBOX_AGENT_LAUNCHER"]);
  delete process.env["SIGNALBOX_AGENT_LAUNCHER"]; // what is started from here has others
  if (!launcher) return;
  setInterval(() => {
    if (process.ppid !== launcher) process.exit(1);
  }, LOOK_MS).unref();
}
