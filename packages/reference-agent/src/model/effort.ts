import type { Session } from "../session.ts";
import { efforts, getFacts } from "./models.ts";

export { efforts };
export type Effort = (typeof efforts)[number];

export function readEffort(text: string | undefined): Effort | undefined {
  return efforts.find((effort) => effort === text);
}

/** Returns the effort for the model; undefined if the model has no such option. */
export function getEffort(
  session: Session,
  model = session.modelName,
  ofAgent?: Effort,
): Effort | undefined {
  const { effort } = getFacts(model);
  if (effort === undefined) return undefined;
  return (
    readEffort(session.context.environment["CLAUDE_CODE_EFFORT_LEVEL"]) ??
    ofAgent ??
    session.commandOverrides.effort ??
    session.effort ??
    readEffort(session.settings.effort) ??
    effort
  );
}
