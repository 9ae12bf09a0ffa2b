import { expect, test } from "bun:test";
import { policiesFromStrict } from "../../../hub/src/policy-order.ts";
import { parseFolders } from "../../src/settings/allowed-folders.tsx";
import { policiesUpTo, policyNames } from "../../src/session-info/policies.ts";

test("[HB84] the page offers policies in the hub's order, and a driver those that are no looser", () => {
  expect(policyNames).toEqual([...policiesFromStrict]);
  expect(policiesUpTo("default")).toEqual(["supervised", "plan", "default"]);
  expect(policiesUpTo("supervised")).toEqual(["supervised"]);
  expect(policiesUpTo("autonomous")).toEqual(policyNames);
});

test("[HH62] allowed folders are typed one on each line", () => {
  expect(parseFolders(" /a \n\n/b c\n")).toEqual(["/a", "/b c"]);
  expect(parseFolders("\n")).toEqual([]);
});
