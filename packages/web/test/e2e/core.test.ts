import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { buildPage } from "./build-page.ts";
import { SharedStage } from "./stage.ts";
import { asks } from "./stories/asks.ts";
import { changes } from "./stories/changes.ts";
import { end } from "./stories/end.ts";
import { everyone } from "./stories/everyone.ts";
import { first } from "./stories/first.ts";
import { link } from "./stories/link.ts";
import { nearby } from "./stories/nearby.ts";
import { shells } from "./stories/shells.ts";
import { turns } from "./stories/turns.ts";

setDefaultTimeout(300_000);

/** What every session needs, for everyone, whatever fails meanwhile; `npm run test:page` plays the rest, too. */
const stage = new SharedStage();
beforeAll(async () => {
  buildPage();
  await stage.start();
});
afterAll(() => stage.end());

describe("for everyone", () => everyone(stage)); // wants an empty board
describe("the first session", () => first(stage));
describe("asks", () => asks(stage));
describe("turns", () => turns(stage));
describe("the end of a conversation", () => end(stage));
describe("changes", () => changes(stage));
describe("relays nearby", () => nearby(stage));
describe("shells", () => shells(stage)); // kills the hub
describe("the link", () => link(stage)); // kills the hub
