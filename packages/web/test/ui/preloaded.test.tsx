import { expect, test } from "bun:test";
import { Suspense } from "react";
import { renderToString } from "react-dom/server";
import { preloaded } from "../../src/ui/preloaded.tsx";

test("[PG59] a dialog that was fetched is there in the moment it is wanted, and nothing in its place before", async () => {
  const Dialog = ({ name }: { name: string }) => <p>The dialog {name}</p>;
  const { View, fetch } = preloaded(() => Promise.resolve({ default: Dialog }));
  const shown = () =>
    renderToString(
      <Suspense fallback="Opening">
        <View name="of keys" />
      </Suspense>,
    );
  expect(shown()).toContain("Opening");
  await fetch();
  expect(shown()).toContain("of keys");
  expect(shown()).not.toContain("Opening");
});
