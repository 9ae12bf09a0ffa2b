import type { Stories } from "../story.ts";
import { failures } from "./failures.ts";
import { permissions } from "./permissions.ts";
import { sessions } from "./sessions.ts";
import { subagents } from "./subagents.ts";
import { tools } from "./tools.ts";
import { turns } from "./turns.ts";

/** Every story, by the name of its file. */
export const stories: Stories = {
  ...turns,
  ...permissions,
  ...tools,
  ...subagents,
  ...sessions,
  ...failures,
};
