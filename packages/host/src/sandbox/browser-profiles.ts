import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Where a browser stores its profiles in the home folder, and files that show that it is installed.
 */
interface BrowserProfile {
  readonly profile: string;
  readonly installedAs: readonly string[];
}

const browser = (profile: string, ...programs: string[]): BrowserProfile => ({
  profile,
  installedAs: programs.flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`]),
});
const flatpak = (name: string): BrowserProfile => ({
  profile: `.var/app/${name}`,
  installedAs: [`/var/lib/flatpak/app/${name}`],
});
const snap = (name: string): BrowserProfile => ({
  profile: `snap/${name}`,
  installedAs: [`/snap/bin/${name}`],
});
/** On macOS, where missing paths can be hidden too. */
const mac = (name: string): BrowserProfile => ({ profile: `Library/${name}`, installedAs: [] });

const browsers: readonly BrowserProfile[] = [
  browser(".config/chromium", "chromium", "chromium-browser"),
  browser(".config/google-chrome", "google-chrome", "google-chrome-stable"),
  browser(".config/google-chrome-beta", "google-chrome-beta"),
  browser(".config/google-chrome-unstable", "google-chrome-unstable"),
  browser(".config/BraveSoftware", "brave-browser", "brave"),
  browser(".config/microsoft-edge", "microsoft-edge", "microsoft-edge-stable"),
  browser(".config/vivaldi", "vivaldi", "vivaldi-stable"),
  browser(".config/opera", "opera"),
  browser(".mozilla", "firefox", "firefox-esr"),
  browser(".config/mozilla", "firefox"),
  browser(".librewolf", "librewolf"),
  browser(".zen", "zen-browser", "zen"),
  snap("chromium"),
  snap("firefox"),
  snap("brave"),
  flatpak("org.mozilla.firefox"),
  flatpak("org.chromium.Chromium"),
  flatpak("com.google.Chrome"),
  flatpak("com.brave.Browser"),
  flatpak("com.microsoft.Edge"),
  flatpak("com.vivaldi.Vivaldi"),
  flatpak("io.gitlab.librewolf-community"),
  flatpak("app.zen_browser.zen"),
  mac("Application Support/Google/Chrome"),
  mac("Application Support/Chromium"),
  mac("Application Support/BraveSoftware"),
  mac("Application Support/Microsoft Edge"),
  mac("Application Support/Firefox"),
  mac("Safari"),
];

/**
 * Lists the profiles of browsers, which contain the key of the device with which a person approves.
 * For an installed browser without a profile the folder is created, so that it is hidden from
 * agents that run before the browser is first started.
 */
export function browserProfiles(
  home: string,
  isInstalled: (file: string) => boolean = existsSync,
): string[] {
  const installed = existsSync(home)
    ? browsers.filter(({ installedAs }) => installedAs.some(isInstalled))
    : [];
  for (const { profile } of installed) makeFolder(join(home, profile));
  return browsers.map(({ profile }) => join(home, profile));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // The home folder cannot be written, so the browser creates no profile there either.
  }
}
