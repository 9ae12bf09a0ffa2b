import type { PromptContext } from "@signalbox/api";
import { AppWindow, X } from "lucide-react";
import { strings } from "../../strings/strings.ts";
import { type DisplayItemOfKind, joinEnds } from "../../text/body.ts";
import { inert } from "../../text/visible.ts";
import { JsonView } from "./json-view.tsx";
import { useFold } from "./use-fold.ts";

const text = strings.promptContext;

/** The title of the context that another program attached to a message. */
export function ContextTitle({ title }: { title: string }) {
  return (
    <span className="chip min-w-0" data-role="context-title">
      <AppWindow aria-hidden="true" className="size-3.5! shrink-0" />
      <span className="sr-only">{text.label}</span>
      <span className="min-w-0 truncate">{inert(title)}</span>
    </span>
  );
}

interface Props {
  readonly context: NonNullable<DisplayItemOfKind<"prompt">["context"]>;
  readonly id: string;
}

/** The context of a message that was sent. It opens to what the agent received. */
export function ContextChip({ context, id }: Props) {
  const title = inert(joinEnds(context.title));
  const [isOpen, toggle] = useFold(`${id}/context`, false);
  return (
    <div className="mb-1.5" data-role="context">
      <button
        type="button"
        className="chip max-w-full min-w-0"
        aria-expanded={isOpen}
        aria-label={text.show(title)}
        onClick={toggle}
      >
        <AppWindow aria-hidden="true" className="size-3.5! shrink-0" />
        <span className="min-w-0 truncate">{title}</span>
      </button>
      {isOpen && (
        <div className="mt-1.5">
          <p className="mb-1 text-small text-dim">{text.explanation}</p>
          <JsonView value={context.data} id={`${id}/context`} />
        </div>
      )}
    </div>
  );
}

/** The context of a message that is being written, which can be removed. */
export function DraftContext({
  context,
  onRemove,
}: {
  context: PromptContext;
  onRemove: () => void;
}) {
  return (
    <div className="flex px-3.5 pt-3" data-role="draft-context">
      <span className="chip min-w-0">
        <AppWindow aria-hidden="true" className="size-3.5! shrink-0" />
        <span className="sr-only">{text.label}</span>
        <span className="min-w-0 truncate">{inert(context.title)}</span>
        <button
          type="button"
          className="chip-cross"
          aria-label={text.remove(inert(context.title))}
          onClick={onRemove}
        >
          <X aria-hidden="true" />
        </button>
      </span>
    </div>
  );
}
