import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Plants in a folder what Bun reads of the folder that it is started in: code that runs first, other modules
 * in place of ours, and variables. `ran` says which programs it ran in since the last look.
 */
export function plantBunSettings(folder: string, canary: string, variables = "PLANTED=1\n") {
  const write = `require("node:fs").appendFileSync(${JSON.stringify(canary)}, process.argv.join(" ") + "\\n");`;
  writeFileSync(join(folder, "planted.cjs"), write);
  writeFileSync(join(folder, "planted.ts"), `import "./planted.cjs";\nexport {};\n`);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./planted.ts"]\n');
  const paths = { compilerOptions: { paths: { "*": ["./planted.ts"] } } };
  for (const name of ["tsconfig.json", "jsconfig.json"]) {
    writeFileSync(join(folder, name), JSON.stringify(paths));
  }
  writeFileSync(join(folder, ".env"), variables);
  return {
    ran(): string {
      try {
        const text = readFileSync(canary, "utf8");
        rmSync(canary);
        return text;
      } catch {
        return "";
      }
    },
  };
}
