import type { ReactNode } from "react";
import { LoadingMessage } from "../ui/progress.tsx";
import type { PanelAnswer } from "./use-control.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.control;

/** The agent's answer to a control request, or why there is none. */
export function ControlResult<T>(props: {
  readonly answer: PanelAnswer<T>;
  readonly reload: () => void;
  readonly children: (value: T) => ReactNode;
}) {
  const { answer, reload, children } = props;
  switch (answer.kind) {
    case "asking":
      return <LoadingMessage text={text.asking} small />;
    case "asleep":
      return <p className="text-small text-dim">{text.asleep}</p>;
    case "failed":
      return (
        <p className="text-small text-failed" role="alert">
          {answer.why}
          <button type="button" className="button ml-2" onClick={reload}>
            {text.retry}
          </button>
        </p>
      );
    case "told":
      return children(answer.value);
    default:
      return answer satisfies never;
  }
}
