import type { Manifest } from "./packages.ts";

/** A package.json with another version, of itself and of the packages of ours that it names. */
export function replaceVersion(packageJson: string, version: string): string {
  const manifest = JSON.parse(packageJson) as Manifest;
  const replaceOurs = (named: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(named).map(([name, wanted]) => [
        name,
        name.startsWith("@signalbox/") ? version : wanted,
      ]),
    );
  const { dependencies, devDependencies } = manifest;
  const changed = {
    ...manifest,
    version,
    ...(dependencies && { dependencies: replaceOurs(dependencies) }),
    ...(devDependencies && { devDependencies: replaceOurs(devDependencies) }),
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

/** The changelog with what was unreleased under a heading of its version, and "Unreleased" empty above it. */
export function addChangelogSection(
  changelog: string,
  { version, date }: { version: string; date: string },
): string {
  const heading = "## Unreleased\n";
  if (!changelog.includes(heading)) throw new Error('CHANGELOG.md has no section "## Unreleased"');
  return changelog.replace(heading, `${heading}\n## ${version} (${date})\n`);
}
