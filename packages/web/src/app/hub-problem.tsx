import { useBoard } from "../store/use-hub.ts";

/** A problem that the hub reports about itself, such as a full disk. */
export function HubProblem() {
  const trouble = useBoard((view) => view.trouble);
  if (trouble === undefined) return null;
  return (
    <p className="banner banner-failed" role="alert">
      {trouble}
    </p>
  );
}
