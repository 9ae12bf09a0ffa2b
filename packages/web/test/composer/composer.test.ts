import { describe, expect, test } from "bun:test";
import { findCurrentModel } from "../../src/composer/controls.tsx";
import { describeBilling } from "../../src/panels/billing.ts";
import { notBrowsing, stepHistory } from "../../src/composer/history.ts";
import {
  isTextPaste,
  findFileProblem,
  findMessageProblem,
} from "../../src/composer/attachments.ts";
import { fitInside, isTooLarge } from "../../src/composer/image-limits.ts";
import { applyCompletion, rankMatches, findToken } from "../../src/composer/token.ts";

describe("the word at the caret", () => {
  test("a command stands at the very start, a file at the start of any word", () => {
    expect(findToken("/com", 4)).toEqual({ kind: "command", query: "com", from: 0, to: 4 });
    expect(findToken("see @src/a", 10)).toEqual({ kind: "file", query: "src/a", from: 4, to: 10 });
    expect(findToken("a /com", 6)).toBeUndefined();
    expect(findToken("me@home", 7)).toBeUndefined();
    expect(findToken("/com pact", 9)).toBeUndefined();
  });

  test("a choice takes its place, and the caret stands behind it", () => {
    const text = "see @sr for it";
    const token = findToken(text, 7);
    expect(token && applyCompletion(text, token, "src/a.ts")).toEqual({
      text: "see @src/a.ts for it",
      caret: 14,
    });
  });

  test("what begins with the letters is offered first", () => {
    const names = ["recompact", "compact", "cost"].map((name) => ({ name }));
    expect(rankMatches(names, "comp").map(({ name }) => name)).toEqual(["compact", "recompact"]);
  });
});

describe("history", () => {
  test("goes back through what was said, and returns to what was being written", () => {
    const said = ["newest", "older"];
    const first = stepHistory(notBrowsing, said, "draft", "older");
    const second = first && stepHistory(first.position, said, first.text, "older");
    expect([first?.text, second?.text]).toEqual(["newest", "older"]);
    expect(second && stepHistory(second.position, said, second.text, "older")).toBeUndefined();
    const back = second && stepHistory(second.position, said, second.text, "newer");
    expect(back && stepHistory(back.position, said, back.text, "newer")?.text).toBe("draft");
  });
});

describe("images", () => {
  test("of other kinds, too large or too many are refused with the reason", () => {
    const png = { type: "image/png", size: 10, name: "a.png" };
    expect(findFileProblem(png, 0)).toBeUndefined();
    expect(findFileProblem({ ...png, type: "application/pdf" }, 0)).toBeUndefined();
    expect(findFileProblem({ ...png, type: "image/svg+xml" }, 0)).toContain("not a PNG");
    expect(findFileProblem({ ...png, size: 0 }, 0)).toContain("empty");
    expect(findFileProblem({ ...png, size: 60_000_000 }, 0)).toBeUndefined(); // it is scaled down
    const vast = { type: "application/pdf", size: 21_000_000, name: "plan.pdf" };
    expect(findFileProblem(vast, 0)).toBe("plan.pdf is 21.0 MB. The limit is 20.0 MB.");
    expect(findFileProblem(png, 20)).toContain("up to 20 files");
  });

  test("[PG77] are scaled down when they have more bytes or pixels than can be sent, with their proportions", () => {
    expect(isTooLarge(1000, { width: 4000, height: 4000 })).toBe(false);
    expect(isTooLarge(5_000_000, { width: 400, height: 400 })).toBe(true);
    expect(isTooLarge(1000, { width: 8001, height: 1 })).toBe(true);
    expect(isTooLarge(1000, { width: 7728, height: 5368 })).toBe(true);
    expect(fitInside({ width: 7728, height: 5368 }, 2576)).toEqual({ width: 2576, height: 1789 });
    expect(fitInside({ width: 20_000, height: 2 }, 1024)).toEqual({ width: 1024, height: 1 });
  });

  test("what the hub would not take together is refused before it is sent, words counted as bytes", () => {
    const image = { data: "x".repeat(5 * 1024 * 1024) };
    const images = (count: number) => Array.from({ length: count }, () => image);
    expect(findMessageProblem("words", images(12))).toBeUndefined();
    expect(findMessageProblem("words", images(13))).toContain("is 66 MB");
    expect(findMessageProblem("€".repeat(2 * 1024 * 1024), images(12))).toContain("is 67 MB");
  });
});

describe("the model and account of an agent", () => {
  test("the model that runs is found by either of its names, the chosen one first", () => {
    const models = ["default", "opus"].map((value) => ({
      value,
      name: value,
      resolved: "claude-opus-9",
      efforts: [],
    }));
    expect(findCurrentModel(models, "claude-opus-9", undefined)?.value).toBe("default");
    expect(findCurrentModel(models, "claude-opus-9", "opus")?.value).toBe("opus");
    expect(findCurrentModel(models, "claude-haiku-9", "opus")).toBeUndefined();
  });
  test("who pays is said as far as the agent says it", () => {
    expect(describeBilling(undefined)).toBe("Not known yet");
    expect(describeBilling({ apiKeySource: "ANTHROPIC_API_KEY", tokenSource: "none" })).toBe(
      "API key (ANTHROPIC_API_KEY)",
    );
    expect(describeBilling({ subscriptionType: "max", tokenSource: "claude.ai" })).toBe(
      "Subscription (max)",
    );
    expect(
      describeBilling({ tokenSource: "CLAUDE_CODE_OAUTH_TOKEN", apiProvider: "firstParty" }),
    ).toBe("Account login (CLAUDE_CODE_OAUTH_TOKEN)");
    expect(describeBilling({ apiProvider: "bedrock" })).toBe(
      "Not reported by the agent, through bedrock",
    );
  });
});

describe("what is pasted with a picture", () => {
  test("is words where there are some, and pictures where there are names of files alone", () => {
    const picture = [{ name: "image.png" }];
    expect(isTextPaste("Sum\t12", picture)).toBe(true);
    expect(isTextPaste("", picture)).toBe(false);
    expect(isTextPaste(" \r\n", picture)).toBe(false);
    expect(isTextPaste("image.png", picture)).toBe(false);
    expect(isTextPaste("/home/me/image.png\r\n", picture)).toBe(false);
    expect(isTextPaste("C:\\me\\image.png", picture)).toBe(false);
    expect(isTextPaste("image.png\nand words", picture)).toBe(true);
  });
});
