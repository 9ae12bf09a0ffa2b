import { Markdown } from "../../markdown/markdown.tsx";
import type { Body } from "../../text/body.ts";
import { MarkedText } from "../../text/marked-text.tsx";
import { ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";

/** Markdown of a body that may be truncated. */
export function Prose({ body, live = false }: { body: Body; live?: boolean }) {
  const { state, load } = useBody(body);
  if (state.kind === "whole") return <Markdown text={state.text} live={live} />;
  return (
    <>
      <Markdown text={state.cut.head} />
      <ShowWhole state={state} load={load} />
      <Markdown text={state.cut.tail} />
    </>
  );
}

/** Plain text with its line breaks, of a body that may be truncated. */
export function PlainProse({ body, className = "" }: { body: Body; className?: string }) {
  const { state, load } = useBody(body);
  const look = `whitespace-pre-wrap wrap-anywhere ${className}`;
  if (state.kind === "whole")
    return (
      <div className={look}>
        <MarkedText text={state.text} />
      </div>
    );
  return (
    <div className={look}>
      <MarkedText text={state.cut.head} />
      <ShowWhole state={state} load={load} />
      <MarkedText text={state.cut.tail} />
    </div>
  );
}
