/**
 * The environment with which either program is started: nothing of this machine's, but a home and a
 * model of the test's own.
 */
export function emptyEnvironment(home: string, modelUrl: string) {
  return {
    HOME: home,
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "dummy-key-for-tests",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
}
