import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { SharedStage } from "./stage.ts";
import { accidents } from "./stories/accidents.ts";
import { asks } from "./stories/asks.ts";
import { changes } from "./stories/changes.ts";
import { context } from "./stories/context.ts";
import { drivers } from "./stories/drivers.ts";
import { end } from "./stories/end.ts";
import { everyone } from "./stories/everyone.ts";
import { files } from "./stories/files.ts";
import { first } from "./stories/first.ts";
import { frame } from "./stories/frame.ts";
import { goingBack } from "./stories/going-back.ts";
import { hands } from "./stories/hands.ts";
import { kept } from "./stories/kept.ts";
import { left } from "./stories/left.ts";
import { link } from "./stories/link.ts";
import { long } from "./stories/long.ts";
import { machines } from "./stories/machines.ts";
import { nearby } from "./stories/nearby.ts";
import { options } from "./stories/options.ts";
import { outside } from "./stories/outside.ts";
import { regressions } from "./stories/regressions.ts";
import { sessionFolder } from "./stories/session-folder.ts";
import { settings } from "./stories/settings.ts";
import { shells } from "./stories/shells.ts";
import { trust } from "./stories/trust.ts";
import { terminal } from "./stories/terminal.ts";
import { turns } from "./stories/turns.ts";
import { worktree } from "./stories/worktree.ts";

setDefaultTimeout(300_000);

/** All stories happen at one hub, in one browser: starting them takes longer than most stories do. */
const stage = new SharedStage();
beforeAll(() => stage.start());
afterAll(() => stage.end());

describe("for everyone", () => everyone(stage)); // wants an empty board
describe("the first session", () => first(stage));
describe("drivers", () => drivers(stage));
describe("the frame", () => frame(stage));
describe("asks", () => asks(stage));
describe("accidents", () => accidents(stage));
describe("turns", () => turns(stage));
describe("context", () => context(stage));
describe("files", () => files(stage));
describe("the session's folder", () => sessionFolder(stage));
describe("a worktree", () => worktree(stage));
describe("relays nearby", () => nearby(stage));
describe("hands", () => hands(stage));
describe("what is being written", () => kept(stage)); // wants an empty board
describe("going further", () => goingBack(stage));
describe("options", () => options(stage));
describe("settings", () => settings(stage));
describe("code of the folder", () => trust(stage));
describe("the end of a conversation", () => end(stage));
describe("a long conversation", () => long(stage));
describe("what was broken before", () => regressions(stage));
describe("from outside", () => outside(stage));
describe("machines", () => machines(stage));
describe("what has no session", () => left(stage));
describe("changes", () => changes(stage));
describe("shells", () => shells(stage)); // kills the hub
describe("terminal", () => terminal(stage)); // kills the hub
describe("the link", () => link(stage)); // kills the hub
