import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { drawing } from "./drawing.ts";
import { findFolderCycles } from "./folder-cycles.ts";
import { readImports } from "./read-imports.ts";
import { type SourceFile, violations } from "./violations.ts";

const root = join(import.meta.dir, "..");

function sources(): SourceFile[] {
  const found = new Bun.Glob("packages/*/src/**/*.{ts,tsx}").scanSync({ cwd: root });
  return [...found].map((name) => {
    const path = name.replaceAll("\\", "/");
    return { path, text: readFileSync(join(root, name), "utf8") };
  });
}

type Manifest = Partial<
  Record<
    "dependencies" | "devDependencies" | "peerDependencies" | "optionalDependencies",
    Record<string, string>
  >
>;

function declaredBy(folder: string): Set<string> {
  const text = readFileSync(join(root, "packages", folder, "package.json"), "utf8");
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = JSON.parse(
    text,
  ) as Manifest;
  const bundled = drawing[folder]?.isBundled === true ? devDependencies : {};
  return new Set(
    Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies, ...bundled }),
  );
}

describe("the packages", () => {
  const manifests = new Bun.Glob("packages/*/package.json").scanSync({ cwd: root });
  const folders = [...manifests].map((path) => basename(dirname(path)));

  test("import only what the drawing allows and what they declare", () => {
    const declared = new Map(folders.map((folder) => [folder, declaredBy(folder)]));
    expect(violations(sources(), declared)).toEqual([]);
  });

  test("are all in the drawing, and all were walked", () => {
    const walked = new Set(sources().map(({ path }) => path.split("/")[1] ?? ""));
    expect([...walked].toSorted()).toEqual(folders.toSorted());
    expect(Object.keys(drawing)).toEqual(expect.arrayContaining(folders));
  });
});

/** Relative imports by which a test reaches into the tests of another package, or of the repository. */
function importsAcrossPackages(): string[] {
  const patterns = "packages/*/{test,bench}/**/*.{ts,tsx}";
  return [...new Bun.Glob(patterns).scanSync({ cwd: root })].flatMap((path) => {
    const own = path.split("/").slice(0, 2).join("/");
    const targets = readImports(path, readFileSync(join(root, path), "utf8"))
      .filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier));
    return targets
      .filter((target) => !target.startsWith(`${own}/`) && /(?:^|\/)test\//.test(target))
      .map((target) => `${path} imports ${target}`);
  });
}

/** Packages in which only imports of types close circles: the session's type names all parts, and they name it. */
const typeCyclicPackages = new Set(["reference-agent"]);

describe("the tests of a package", () => {
  test("share helpers through @signalbox/testing, not by importing each other's", () => {
    expect(importsAcrossPackages()).toEqual([]);
  });
});

describe("the folders of a package", () => {
  const byPackage = Map.groupBy(sources(), ({ path }) => path.split("/")[1] ?? "");

  test.each([...byPackage.keys()].toSorted())("do not import each other in circles: %s", (name) => {
    const ignoreTypes = typeCyclicPackages.has(name);
    expect(findFolderCycles(byPackage.get(name) ?? [], { ignoreTypes })).toEqual([]);
  });

  const file = (path: string, target: string) => ({
    path: `packages/web/src/${path}`,
    text: `import type { A } from "${target}";`,
  });

  test("are found to form a circle through other folders, and through a subfolder", () => {
    const through = [
      file("a/a.ts", "../b/b.ts"),
      file("b/b.ts", "../c/c.ts"),
      file("c/c.ts", "../a/a.ts"),
      file("d/d.ts", "../a/a.ts"),
    ];
    expect(findFolderCycles(through).map((group) => group.length)).toEqual([3]);
    const subfolder = [file("a/a.ts", "./inner/b.ts"), file("a/inner/b.ts", "../c.ts")];
    expect(findFolderCycles(subfolder)).toEqual([
      [
        "packages/web/src/a/a.ts imports packages/web/src/a/inner/b.ts",
        "packages/web/src/a/inner/b.ts imports packages/web/src/a/c.ts",
      ],
    ]);
  });

  test("are not found to form one by imports of types, where those are ignored", () => {
    const files = [file("a/a.ts", "../b/b.ts"), file("b/b.ts", "../a/a.ts")];
    expect(findFolderCycles(files)).toHaveLength(1);
    expect(findFolderCycles(files, { ignoreTypes: true })).toEqual([]);
    const runs = files.map(({ path, text }) => ({
      path,
      text: text.replace("import type", "export"),
    }));
    expect(findFolderCycles(runs, { ignoreTypes: true })).toHaveLength(1);
  });

  test("are not found to form one where imports point one way", () => {
    const files = [file("a/a.ts", "../b/b.ts"), file("a/b.ts", "./a.ts"), file("b/b.ts", "zod")];
    expect(findFolderCycles(files)).toEqual([]);
  });
});

describe("the walker", () => {
  const everything = new Set([
    ...[
      "protocol",
      "api",
      "timeline",
      "host",
      "runner",
      "agent",
      "reference-agent",
      "hub",
      "relay",
      "client",
      "web",
      "model",
    ].map((folder) => `@signalbox/${folder}`),
    "zod",
    "react",
  ]);
  const found = (folder: string, text: string, file = "step/a.ts") =>
    violations(
      [{ path: `packages/${folder}/src/${file}`, text }],
      new Map([[folder, everything]]),
    ).map((said) => said.replace(`packages/${folder}/src/${file} `, ""));

  test.each([
    ["timeline", 'import { decode } from "@signalbox/protocol";'],
    ["hub", 'import { Host } from "@signalbox/host";\nimport { Database } from "bun:sqlite";'],
    ["client", 'import type { Item } from "@signalbox/timeline";\nimport * as z from "zod";'],
    ["web", 'import { connect } from "@signalbox/client";\nexport type { A } from "../b.ts";'],
    [
      "cli",
      'import { startModel } from "@signalbox/model";\nconst hub = import("@signalbox/hub");',
    ],
    ["agent", 'import { spawn } from "node:child_process";\n// Bun.spawn would do as well'],
    ["protocol", 'import { a } from "../json.ts";\nconst words = "Bun is a runtime";'],
  ])("lets %s import what is below it", (folder, text) => {
    expect(found(folder, text)).toEqual([]);
  });

  test.each([
    ["protocol", "@signalbox/timeline"],
    ["protocol", "@signalbox/api"],
    ["api", "@signalbox/hub"],
    ["api", "@signalbox/client"],
    ["timeline", "@signalbox/runner"],
    ["runner", "@signalbox/hub"],
    ["runner", "@signalbox/model"],
    ["agent", "@signalbox/runner"],
    ["agent", "@signalbox/reference-agent"],
    ["hub", "@signalbox/client"],
    ["hub", "@signalbox/model"],
    ["hub", "@signalbox/relay"],
    ["client", "@signalbox/hub"],
    ["web", "@signalbox/hub"],
    ["model", "@signalbox/protocol"],
    ["runner", "signalbox"],
  ])("catches %s importing %s, however it is written", (folder, name) => {
    const ways = [
      `import { a } from "${name}";`,
      `import type { A } from "${name}";`,
      `import { type A } from "${name}";`,
      `import {\n  type A, // isn't it\n  type B,\n} from "${name}";`,
      `import "${name}";`,
      `export * from "${name}";`,
      `export type { A } from "${name}";`,
      `type A = import("${name}").A;`,
      `const a = await import("${name}");`,
      `const a = require("${name}");`,
      `import { a } from "${name}/deep/inside.ts";`,
    ];
    for (const way of ways) expect(found(folder, way), way).toHaveLength(1);
  });

  test("catches code where only types are allowed", () => {
    const why = "client may use the types of api alone (`import type`)";
    const said = [`imports @signalbox/api: ${why}`];
    expect(found("client", 'import { readDeviceKey } from "@signalbox/api";')).toEqual(said);
    // Without `type` before the braces an empty import stays, and runs.
    expect(found("client", 'import { type AskView } from "@signalbox/api";')).toEqual(said);
    const both = 'import type { AskView } from "@signalbox/api";\nexport * from "@signalbox/api";';
    expect(found("client", both)).toEqual(said);
  });

  test("catches a relative import that leaves the package's src", () => {
    const outside = "it lies outside the package's src";
    for (const specifier of ["../../test/a.ts", "../../../runner/src/index.ts", "/etc/a.ts"]) {
      expect(found("hub", `import a from "${specifier}";`)).toEqual([
        `imports ${specifier}: ${outside}`,
      ]);
    }
  });

  test("catches modules of Node and Bun where there is none", () => {
    for (const folder of ["protocol", "api", "timeline", "client", "web"]) {
      for (const name of ["node:fs", "fs", "bun", "bun:sqlite"]) {
        expect(found(folder, `import type { A } from "${name}";`)).toHaveLength(1);
      }
    }
    for (const folder of ["agent", "reference-agent", "model"]) {
      expect(found(folder, 'import { spawn } from "bun";')).toHaveLength(1);
      expect(found(folder, "const text = `${Bun.version}`;")).toEqual([
        `uses Bun: ${folder} runs on any runtime`,
      ]);
    }
    expect(found("client", "type Server = Bun.Server;")).toHaveLength(1);
  });

  test("catches a dependency that is not declared", () => {
    const said = ["imports left-pad: packages/runner/package.json does not declare it"];
    expect(found("runner", 'import pad from "left-pad";')).toEqual(said);
    const file = { path: "packages/hub/src/a.ts", text: 'import "@signalbox/runner";' };
    expect(violations([file], new Map())).toHaveLength(1);
  });

  test("catches a package that nobody has drawn", () => {
    for (const folder of ["extras", "toString"]) {
      const path = `packages/${folder}/src/a.ts`;
      const said = `${path}: the package ${folder} is not in the drawing`;
      expect(violations([{ path, text: "" }], new Map())).toEqual([said]);
    }
  });

  test("reads TSX, and is not misled by comments and strings", () => {
    const text = [
      '// import { a } from "one";',
      '/* import type { A } from "two"; */',
      "const words = 'import a from \"three\"';",
      'import { memo } from "react";',
      "export const View = memo(() => <p>import it from here, isn't it?</p>);",
    ].join("\n");
    const imports = readImports("view.tsx", text).filter(
      ({ specifier }) => !specifier.startsWith("react/"), // what JSX itself needs
    );
    expect(imports).toEqual([{ specifier: "react", typeOnly: false }]);
  });
});
