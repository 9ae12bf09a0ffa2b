import { expect, test } from "bun:test";
import {
  findLanguageByFile,
  findLanguageByName,
} from "../../src/code/highlight/detect-language.ts";

test("the language of a file is known by its name or its ending, whatever the folder and the case", () => {
  expect(findLanguageByFile("src/reader.test.ts")).toBe("typescript");
  expect(findLanguageByFile("C:\\work\\Main.JAVA")).toBe("java");
  expect(findLanguageByFile("/home/me/Makefile")).toBe("make");
  expect(findLanguageByFile("Dockerfile")).toBe("docker");
  expect(findLanguageByFile("a.b/notes")).toBeUndefined();
  expect(findLanguageByFile("picture.png")).toBeUndefined();
});

test("the language of a code fence is known by its name", () => {
  expect(findLanguageByName("TS")).toBe("typescript");
  expect(findLanguageByName(undefined)).toBeUndefined();
});
