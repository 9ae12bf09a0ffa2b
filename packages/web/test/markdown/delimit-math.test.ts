import { describe, expect, test } from "bun:test";
import { delimitMath } from "../../src/markdown/delimit-math.ts";

describe("formulas in Markdown", () => {
  test("single dollar signs and both kinds of brackets become double dollar signs", () => {
    expect(delimitMath("so $a_1 + b$ holds")).toBe("so $$a_1 + b$$ holds");
    expect(delimitMath(String.raw`so \(\frac{a}{b}\), and`)).toBe(
      String.raw`so $$\frac{a}{b}$$, and`,
    );
    expect(delimitMath("\\[\nx^2\n\\]")).toBe("$$\nx^2\n$$");
    expect(delimitMath(String.raw`a \[x\] b`)).toBe("a $$x$$ b");
    expect(delimitMath("$x$, $y$ and $z$")).toBe("$$x$$, $$y$$ and $$z$$");
  });

  test("prices and variables stay text", () => {
    for (const text of [
      "It costs $5 and then $10.",
      "between $5–$10 a month",
      "set $HOME and $USER",
      "$HOME/$USER",
      String.raw`a \$5 note, $6`,
      "100$ or 200$",
      "only one $ here",
    ])
      expect(delimitMath(text)).toBe(text);
  });

  test("code and formulas that are delimited already stay as they are", () => {
    for (const text of [
      "`echo $a$`",
      "``a ` $b$``",
      "- one\n  ```sh\n  echo $a$\n  ```",
      "```\n$a$",
      "$$x + y$$",
      "$$\nx\n$$",
    ])
      expect(delimitMath(text)).toBe(text);
  });
});
