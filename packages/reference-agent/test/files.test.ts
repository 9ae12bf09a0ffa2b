import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { allowAll, openToolStage } from "./tool-stage.ts";

/** Replaces the program of poppler-utils: it writes its arguments as pages. */
const PDFTOPPM = `#!/bin/sh
[ "$5" = 13 ] && { echo "no such page" >&2; exit 99; }
for last; do :; done
for page in $(seq "$5" "$7"); do echo "page $page" > "$last-$page.jpg"; done
`;

describe("file tools", () => {
  test("[RA1] a file can be written, read with line numbers, and edited", async () => {
    using stage = openToolStage({ answer: allowAll });
    await stage.call("Write", { file_path: "a/b.txt", content: "one\ntwo\n" });
    const read = await stage.call("Read", { file_path: "a/b.txt" });
    expect(read.text).toBe("1\tone\n2\ttwo\n3\t");
    const edit = await stage.call("Edit", {
      file_path: "a/b.txt",
      old_string: "two",
      new_string: "three",
      replace_all: false,
    });
    expect(edit.structured["structuredPatch"]).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" one", "-two", "+three"] },
    ]);
    expect(readFileSync(stage.at("a/b.txt"), "utf8")).toBe("one\nthree\n");
    expect(stage.edited).toEqual([stage.at("a/b.txt"), stage.at("a/b.txt")]);
  });

  test("[RA2] an edit that matches nowhere, or several times, is refused before anybody is asked", async () => {
    using stage = openToolStage({ answer: allowAll, files: { "a.txt": "x x" } });
    const edit = (old_string: string) =>
      stage.call("Edit", { file_path: "a.txt", old_string, new_string: "y", replace_all: false });
    expect((await edit("z")).text).toContain("String to replace not found");
    expect((await edit("x")).text).toContain("Found 2 matches");
    expect(stage.asked).toEqual([]);
  });

  test("[RA3] a file that changed since it was read is not overwritten", async () => {
    using stage = openToolStage({ answer: allowAll, files: { "a.txt": "old" } });
    await stage.call("Read", { file_path: "a.txt" });
    writeFileSync(stage.at("a.txt"), "theirs");
    utimesSync(stage.at("a.txt"), new Date(), new Date(Date.now() + 5000));
    const written = await stage.call("Write", { file_path: "a.txt", content: "ours" });
    expect(written.text).toContain("modified since read");
    expect(readFileSync(stage.at("a.txt"), "utf8")).toBe("theirs");
  });

  test("[RA3] an unread file can be overwritten, but an unread notebook cannot", async () => {
    const files = { "a.txt": "old", "n.ipynb": "{}" };
    using stage = openToolStage({ answer: allowAll, files });
    const over = await stage.call("Write", { file_path: "a.txt", content: "new" });
    expect(over.structured).toMatchObject({ type: "update", originalFile: "old" });
    const notebook = await stage.call("Write", { file_path: "n.ipynb", content: "new" });
    expect(notebook.text).toContain("File has not been read yet.");
    expect(readFileSync(stage.at("n.ipynb"), "utf8")).toBe("{}");
  });

  test("[RA4] cells of a notebook can be read, replaced, inserted and deleted", async () => {
    const notebook = {
      cells: [{ cell_type: "code", id: "a1", metadata: {}, source: ["1 + 1"], outputs: [] }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    };
    using stage = openToolStage({
      answer: allowAll,
      files: { "n.ipynb": JSON.stringify(notebook) },
    });
    const read = await stage.call("Read", { file_path: "n.ipynb" });
    expect(read.text).toContain('<cell id=\\"a1\\">1 + 1</cell id=\\"a1\\">');
    const change = (input: object) =>
      stage.call("NotebookEdit", { notebook_path: "n.ipynb", ...input });
    await change({ cell_id: "a1", new_source: "2 + 2" });
    await change({
      cell_id: "a1",
      new_source: "# Sums",
      cell_type: "markdown",
      edit_mode: "insert",
    });
    await change({ cell_id: "a1", new_source: "", edit_mode: "delete" });
    const { cells } = JSON.parse(readFileSync(stage.at("n.ipynb"), "utf8")) as typeof notebook;
    expect(cells.map(({ source }) => String(source))).toEqual(["# Sums"]);
  });

  test("[RA5] pages of a PDF become images through pdftoppm", async () => {
    using stage = openToolStage({ files: { "a.pdf": "%PDF-1.4", "bin/pdftoppm": PDFTOPPM } });
    chmodSync(stage.at("bin/pdftoppm"), 0o755);
    const { environment } = stage.session.context as { environment: Record<string, string> };
    environment["PATH"] = `${stage.at("bin")}:/bin:/usr/bin`;
    const pages = await stage.call("Read", { file_path: "a.pdf", pages: "2-3" });
    expect(pages.text).toContain("PDF pages extracted: 2 page(s)");
    expect(pages.text).toContain(Buffer.from("page 2\n").toString("base64"));
    expect(pages.structured).toMatchObject({ type: "parts", file: { count: 2 }, firstPage: 2 });
    const broken = await stage.call("Read", { file_path: "a.pdf", pages: "13" });
    expect(broken.text).toBe("The pages could not be rendered: no such page");
  });

  test("[RA5] an image is returned with its size, unless it is too large or claims to be", async () => {
    using stage = openToolStage();
    const png = (width: number, height: number) => {
      const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
      const size = Buffer.alloc(8);
      size.writeUInt32BE(width, 0);
      size.writeUInt32BE(height, 4);
      return Buffer.concat([bytes, size]);
    };
    const jpeg = Buffer.from("ffd8ffe000040000ffc0001108000500030301", "hex");
    const gif = Buffer.from("474946383961030005000000", "hex");
    const lossless = "5249464600000000574542505650384c000000002f";
    const webp = Buffer.from(`${lossless}02000100${"00".repeat(8)}`, "hex");
    const pictures = { "a.png": png(3, 5), "a.jpg": jpeg, "a.gif": gif, "a.webp": webp };
    for (const [name, bytes] of Object.entries({ ...pictures, "huge.png": png(9000, 1) })) {
      writeFileSync(stage.at(name), bytes);
    }
    for (const name of Object.keys(pictures)) {
      const { structured } = await stage.call("Read", { file_path: stage.at(name) });
      expect(structured).toMatchObject({
        file: { dimensions: { originalWidth: 3, originalHeight: 5, displayWidth: 3 } },
      });
    }
    const huge = await stage.call("Read", { file_path: stage.at("huge.png") });
    expect([huge.isError, huge.text]).toEqual([true, expect.stringContaining("9000 x 1 pixels")]);
  });

  test("[RA5] images are returned as images, binaries and folders are refused", async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    using stage = openToolStage({ files: { "sub/x": "" } });
    writeFileSync(stage.at("p.png"), Buffer.from(pixel, "base64"));
    writeFileSync(stage.at("b.bin"), Buffer.from([1, 0, 2]));
    expect((await stage.call("Read", { file_path: "p.png" })).text).toContain("image/png");
    expect((await stage.call("Read", { file_path: "b.bin" })).text).toContain("binary");
    expect((await stage.call("Read", { file_path: "sub" })).text).toContain("EISDIR");
  });
});

describe("outside of the allowed folders", () => {
  test("[RA6] reading and writing ask, for a path by name, by .. and by a link that leads outside", async () => {
    using stage = openToolStage({ answer: () => ({ behavior: "deny", message: "No." }) });
    writeFileSync(`${stage.place}/secret.txt`, "secret");
    symlinkSync(stage.place, stage.at("out"));
    symlinkSync(`${stage.place}/secret.txt`, stage.at("innocent.txt"));
    const paths = [`${stage.place}/secret.txt`, "../secret.txt", "out/secret.txt", "innocent.txt"];
    for (const file_path of paths) {
      expect((await stage.call("Read", { file_path })).text).toBe("No.");
      const over = await stage.call("Write", { file_path, content: "mine" });
      expect(over.text).toContain("File has not been read yet.");
      if (file_path === "innocent.txt") continue;
      const beside = file_path.replace("secret", "new");
      expect((await stage.call("Write", { file_path: beside, content: "x" })).text).toBe("No.");
    }
    expect(stage.asked.length).toBe(7);
    expect(stage.asked[0]?.["decision_reason_type"]).toBe("workingDir");
    expect(readFileSync(`${stage.place}/secret.txt`, "utf8")).toBe("secret");
  });

  test("[RA7] accepting edits ends at the folder's edge, also through links and for files that run something", async () => {
    using stage = openToolStage({ args: ["--permission-mode", "acceptEdits"] });
    symlinkSync(stage.place, stage.at("out"));
    const write = (file_path: string) => stage.call("Write", { file_path, content: "x" });
    expect((await write("inside.txt")).isError).toBe(false);
    expect((await write("out/outside.txt")).isError).toBe(true);
    expect((await write(".git/hooks/pre-commit")).isError).toBe(true);
    expect((await stage.call("Bash", { command: "touch out/outside.txt" })).isError).toBe(true);
  });

  test("[RA8] searches do not follow links", async () => {
    for (const PATH of [process.env["PATH"] ?? "", "/nowhere"]) {
      using stage = openToolStage({ files: { "a.txt": "needle" }, environment: { PATH } });
      writeFileSync(`${stage.place}/secret.txt`, "needle");
      symlinkSync("../secret.txt", stage.at("link.txt"));
      symlinkSync("..", stage.at("up"));
      expect((await stage.call("Grep", { pattern: "needle" })).text).toBe("Found 1 file\na.txt");
      expect((await stage.call("Glob", { pattern: "**/*.txt" })).text).not.toContain("link.txt");
    }
  });

  test("[RA8] Glob and Grep stay inside the allowed folders", async () => {
    using stage = openToolStage({ files: { "a.ts": "const here = 1;" } });
    writeFileSync(`${stage.place}/other.ts`, "const there = 1;");
    expect((await stage.call("Grep", { pattern: "const", path: ".." })).isError).toBe(true);
    const whole = { pattern: stage.at("../*.ts") };
    expect((await stage.call("Glob", { pattern: "*.ts", path: ".." })).isError).toBe(true);
    expect((await stage.call("Glob", whole)).isError).toBe(true);
    expect((await stage.call("Grep", { pattern: "const" })).text).toBe("Found 1 file\na.ts");
    stage.session.permission.addFolder(stage.place);
    expect((await stage.call("Glob", { pattern: "*.ts", path: ".." })).text).toContain("other.ts");
    expect((await stage.call("Glob", whole)).text).toContain("other.ts");
  });
});
