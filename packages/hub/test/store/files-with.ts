/**
 * The files below a folder in which a text can be read. Another process looks: to open a database's file in
 * the process that has it open ends SQLite's locks.
 */
export function filesWith(folder: string, text: string): string[] {
  const script = `
    const { readdirSync, readFileSync } = require("node:fs");
    const [folder, text] = process.argv.slice(1);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.parentPath + "/" + entry.name);
    const holds = (path) => {
      try {
        return readFileSync(path, "latin1").includes(text);
      } catch {
        return false;
      }
    };
    console.log(JSON.stringify(files.filter(holds)));`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script, folder, text]);
  return JSON.parse(stdout.toString()) as string[];
}
