import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The names that a package exports, in its index or a subpath. */
export function listExports(root: string, name: string): Set<string> {
  const folder = join(root, "packages", name.replace("@signalbox/", ""));
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, { bun?: string }>;
  };
  const files = Object.values(exports).flatMap(({ bun }) => (bun?.endsWith(".ts") ? [bun] : []));
  return new Set(files.flatMap((file) => readExports(readFileSync(join(folder, file), "utf8"))));
}

function readExports(text: string): string[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((one) => one.trim().replace(/^type |^.* as /g, "")),
  );
  const declared =
    /^export (?:async |abstract )*(?:const|function\*?|class|interface|type) ([\w$]+)/gm;
  return [...lists, ...[...text.matchAll(declared)].map(([, name = ""]) => name)];
}
