import type { ServiceOptions } from "./service-plan.ts";

/**
 * A launch agent that runs the hub, which holds the port itself. The runner and its agents outlive it
 * (`AbandonProcessGroup`).
 */
export function formatLaunchAgent(label: string, options: ServiceOptions, logs: string): string {
  const { command, data, port, path, home } = options;
  const words = [...command, "serve", "--port", String(port), "--data", data];
  const variables = { PATH: path, HOME: home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escapeXml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(variables)
  .map(([name, value]) => `    <key>${name}</key>\n    <string>${escapeXml(value)}</string>`)
  .join("\n")}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${escapeXml(logs)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(logs)}</string>
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
