import { describe, expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";
import type { ImageType } from "@signalbox/protocol/wire";
import { imageType } from "@signalbox/host/asks";
import { MAX_IMAGE_BASE64 } from "../../src/control/image.ts";
import { promptContent } from "../../src/control/prompt.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { makeGif, makeJpeg, makePng, webps } from "@signalbox/testing/pictures";

const pictures: Record<ImageType, Uint8Array> = {
  "image/png": makePng(3, 2),
  "image/jpeg": makeJpeg(3, 2),
  "image/gif": makeGif(3, 2),
  "image/webp": webps[0],
};
const png = makePng(3, 2);
const refusal = async (data: Uint8Array) => {
  const prompt = { text: "look", images: [{ data, name: "shot.png" }] };
  return promptContent(prompt, { images: true }, "/").catch((failure: unknown) => failure);
};

describe("images in prompts", () => {
  test.each(Object.entries(pictures))(
    "%s is recognized by its first bytes and sent as a block",
    async (type, data) => {
      expect(imageType(data)).toBe(type as "image/png");
      expect(
        await promptContent({ text: "look", images: [{ data }] }, { images: true }, "/"),
      ).toEqual([
        { type: "text", text: "look" },
        {
          type: "image",
          source: {
            type: "base64",
            media_type: type as "image/png",
            data: Buffer.from(data).toString("base64"),
          },
        },
      ]);
    },
  );

  test("[HB33] a PDF becomes a document with its name, beside the pictures and in their order", async () => {
    const pdf = Buffer.from("%PDF-1.4\n%%EOF\n");
    const images = [{ data: png }, { data: pdf, name: "plan.pdf" }];
    expect(await promptContent({ text: "", images }, { images: true }, "/")).toMatchObject([
      { type: "image" },
      {
        type: "document",
        title: "plan.pdf",
        source: { media_type: "application/pdf", data: pdf.toString("base64") },
      },
    ]);
    const vast = new Uint8Array(20 * 1024 * 1024 + 1);
    vast.set(pdf);
    expect(String(await refusal(vast))).toContain("Attach only the pages that matter");
  });

  test("a prompt without images stays plain text", async () => {
    expect(await promptContent({ text: "hello" }, { images: true }, "/")).toBe("hello");
  });

  test("a file that is not an image, is empty or is too large is refused by name, and the limit is for the encoded size", async () => {
    for (const data of [new Uint8Array(0), Buffer.from("<svg/>"), Buffer.from("BM")]) {
      const failure = await refusal(data);
      expect(SignalboxError.is(failure, "BAD_INPUT")).toBe(true);
      expect(String(failure)).toContain("shot.png");
    }
    const fits = new Uint8Array((MAX_IMAGE_BASE64 / 4) * 3);
    fits.set(png);
    expect(await refusal(fits)).toBeArray();
    const tooLarge = new Uint8Array(fits.length + 1);
    tooLarge.set(png);
    expect(String(await refusal(tooLarge))).toContain("Make it smaller");
  });

  test("an agent that does not accept images gets files, which the prompt names and Git ignores", async () => {
    using folder = tempFolder();
    const prompt = { text: "look", images: [{ data: png }] };
    const content = await promptContent(prompt, { images: false }, folder.path);
    const file = /^\[Image: (.+\.png)\]\n\nlook$/.exec(content as string)?.[1] ?? "";
    expect(file).toStartWith(join(folder.path, ".signalbox/images/"));
    expect(new Uint8Array(readFileSync(file))).toEqual(png);
    expect(readFileSync(join(folder.path, ".signalbox/.gitignore"), "utf8")).toBe("*\n");
  });

  test("a link that the repository put there is not followed", async () => {
    using folder = tempFolder();
    using elsewhere = tempFolder();
    symlinkSync(elsewhere.path, join(folder.path, ".signalbox"));
    const prompt = { text: "look", images: [{ data: png }] };
    const failure: unknown = await promptContent(prompt, { images: false }, folder.path).catch(
      (e: unknown) => e,
    );
    expect(String(failure)).toContain("link");
  });
});
