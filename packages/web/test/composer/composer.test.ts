import { describe, expect, test } from "bun:test";
import type { PolicyName } from "@signalbox/api";
import { findCurrentModel } from "../../src/composer/controls.tsx";
import { availableModes } from "../../src/composer/modes.ts";
import { describeBilling } from "../../src/panels/billing.ts";
import { notBrowsing, stepHistory } from "../../src/composer/history.ts";
import {
  isTextPaste,
  findFileProblem,
  findMessageProblem,
  findSizeProblem,
} from "../../src/composer/images.ts";
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
    expect(findFileProblem({ ...png, type: "image/svg+xml" }, 0)).toContain("no image");
    expect(findFileProblem({ ...png, size: 6_000_000 }, 0)).toContain("larger");
    expect(findFileProblem(png, 20)).toContain("most");
    expect(findSizeProblem("a.png", { width: 8000, height: 1 })).toBeUndefined();
    expect(findSizeProblem("a.png", { width: 1, height: 8001 })).toContain("1 × 8001 pixels");
    expect(findSizeProblem("a.png", undefined)).toContain("damaged");
  });

  test("what the hub would not take together is refused before it is sent, words counted as bytes", () => {
    const image = { data: "x".repeat(5 * 1024 * 1024) };
    const images = (count: number) => Array.from({ length: count }, () => image);
    expect(findMessageProblem("words", images(12))).toBeUndefined();
    expect(findMessageProblem("words", images(13))).toContain("66 MB together");
    expect(findMessageProblem("€".repeat(2 * 1024 * 1024), images(12))).toContain("67 MB together");
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
    expect(describeBilling(undefined)).toBe("not known yet");
    expect(describeBilling({ apiKeySource: "ANTHROPIC_API_KEY", tokenSource: "none" })).toBe(
      "API key, from ANTHROPIC_API_KEY",
    );
    expect(describeBilling({ subscriptionType: "max", tokenSource: "claude.ai" })).toBe(
      "subscription (max)",
    );
    expect(
      describeBilling({ tokenSource: "CLAUDE_CODE_OAUTH_TOKEN", apiProvider: "firstParty" }),
    ).toBe("an account's login, from CLAUDE_CODE_OAUTH_TOKEN");
    expect(describeBilling({ apiProvider: "bedrock" })).toBe(
      "the agent does not say, through bedrock",
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

describe("the modes to choose from", () => {
  const label = (policy: PolicyName, current: string, mayLoosen = true) =>
    availableModes(policy, current, mayLoosen).map((mode) => mode.label);
  test("say what is true under the policy", () => {
    expect(label("default", "default")).toEqual(["Asks first", "Edits freely", "Plans first"]);
    expect(label("autonomous", "default")).toEqual(["Asks for nothing", "Plans first"]);
    expect(label("autonomous", "acceptEdits")).toEqual(["Asks for nothing", "Plans first"]);
    expect(label("autonomous", "plan")).toEqual(["Asks for nothing", "Plans first"]);
    expect(label("supervised", "default")).toEqual(["Asks first", "Plans first"]);
  });
  test("hold the current one, even one that nobody here knows", () => {
    expect(availableModes("autonomous", "acceptEdits", true).map(({ value }) => value)).toContain(
      "acceptEdits",
    );
    expect(label("default", "dontAsk")[0]).toBe("dontAsk");
  });
  test("[HH61] are no looser than the current one where the device does not approve", () => {
    expect(label("default", "default", false)).toEqual(["Asks first", "Plans first"]);
    expect(label("default", "plan", false)).toEqual(["Plans first"]);
    expect(label("accept-edits", "acceptEdits", false)).toHaveLength(3);
    expect(label("default", "dontAsk", false)).toEqual(["dontAsk", "Plans first"]);
  });
});
