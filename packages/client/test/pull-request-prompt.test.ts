import { expect, test } from "bun:test";
import { formatPullRequestPrompt } from "../src/index.ts";

test("[CG41] what a pull request's review says becomes one message, quoted, with its places", () => {
  const url = "https://github.example/team/shop/pull/7";
  const none = { path: null, line: null, hunk: null, url: null, at: null };
  const text = formatPullRequestPrompt({
    number: 7,
    title: "Fix it",
    url,
    state: "open",
    draft: false,
    base: "main",
    decision: null,
    checks: [
      { name: "test", state: "failed", url: null },
      { name: "build", state: "passed", url: null },
    ],
    comments: [
      {
        ...none,
        author: "ana",
        text: "Rename\nit.",
        path: "a.txt",
        line: 2,
        hunk: "@@ -1 +1 @@\n+x",
      },
      { ...none, author: "ben", text: "Fine." },
    ],
  });
  expect(text).toContain(`#7, "Fix it" (${url})`);
  expect(text).toContain("These checks failed:\n- test\n\n");
  expect(text).toContain("Comment by ana, on a.txt:2:\n> @@ -1 +1 @@\n> +x\n\n> Rename\n> it.");
  expect(text).toEndWith("Comment by ben:\n> Fine.");
});
