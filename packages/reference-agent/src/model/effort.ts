import type { Session } from "../session.ts";
import { efforts, factsOf } from "./models.ts";

export { efforts };
export type Effort = (typeof efforts)[number];

export function readEffort(text: string | undefined): Effort | undefined {
  return efforts.find((effort) => effort === text);
}

/** How hard the model is to think; nothing where that cannot be said to it. */
export function effortOf(
  session: Session,
  model = session.modelName,
  ofAgent?: Effort,
): Effort | undefined {
  const { effort } = factsOf(model);
  if (effort === undefined) return undefined;
  return (
    readEffort(session.birth.environment["CLAUDE_CODE_EFFORT_LEVEL"]) ??
    ofAgent ??
    session.broughtAlong.effort ??
    session.effort ??
    readEffort(session.settings.effort) ??
    effort
  );
}
