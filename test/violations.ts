import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { drawing, getFolder, type Layer } from "./drawing.ts";
import { type Import, mentionsBun, readImports } from "./read-imports.ts";

export interface SourceFile {
  /** From the root of the repository, with slashes: `packages/<folder>/src/…`. */
  readonly path: string;
  readonly text: string;
}

/** The packages that a package declares as needed when it runs, by its folder. */
export type Declared = ReadonlyMap<string, ReadonlySet<string>>;

/** One sentence for everything in these files that goes against the drawing. */
export function violations(files: readonly SourceFile[], declared: Declared): string[] {
  return files.flatMap((file) => {
    const [, folder = ""] = file.path.split("/");
    const layer = Object.hasOwn(drawing, folder) ? drawing[folder] : undefined;
    if (!layer) return [`${file.path}: the package ${folder} is not in the drawing`];
    const wrong = readImports(file.path, file.text).flatMap((one) => {
      const why = whyNot(one, { file, folder, layer, declared });
      return why === undefined ? [] : [`${file.path} imports ${one.specifier}: ${why}`];
    });
    if (layer.runsOn !== "Bun" && mentionsBun(file.text)) {
      wrong.push(`${file.path} uses Bun: ${folder} runs on ${layer.runsOn}`);
    }
    return wrong;
  });
}

interface Place {
  readonly file: SourceFile;
  readonly folder: string;
  readonly layer: Layer;
  readonly declared: Declared;
}

function whyNot({ specifier, typeOnly }: Import, place: Place): string | undefined {
  const { file, folder, layer, declared } = place;
  if (/^[./]/.test(specifier)) {
    const target = posix.resolve("/", posix.dirname(file.path), specifier);
    return target.startsWith(`/packages/${folder}/src/`)
      ? undefined
      : "it lies outside the package's src";
  }
  if (/^bun(:|$)/.test(specifier)) {
    return layer.runsOn === "Bun" ? undefined : `${folder} runs on ${layer.runsOn}`;
  }
  if (isBuiltin(specifier)) {
    return layer.runsOn === "browser" ? `${folder} runs in a browser` : undefined;
  }
  const name = getPackage(specifier);
  const ours = getFolder(name);
  const isShared = layer.modules?.includes(specifier) ?? false;
  if (ours !== undefined && !layer.imports.includes(ours) && !isShared) {
    if (!layer.types?.includes(ours)) return `${folder} is not drawn above ${ours}`;
    if (!typeOnly) return `${folder} may use the types of ${ours} alone (\`import type\`)`;
  }
  return declared.get(folder)?.has(name)
    ? undefined
    : `packages/${folder}/package.json does not declare it`;
}

function getPackage(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
