import { Markdown } from "../../markdown/markdown.tsx";
import { strings } from "../../strings/strings.ts";
import { type Body, trimToWord } from "../../text/body.ts";
import { formatBytes } from "../../text/format.ts";
import { MarkedText } from "../../text/marked-text.tsx";
import { LoadInView } from "./load-in-view.tsx";
import { ShowWhole } from "./show-more.tsx";
import { type BodyState, useBody } from "./use-body.ts";

/** Markdown of a body. If the hub sent only its ends, the whole is loaded when its end comes into sight. */
export function Prose({ body, live = false }: { body: Body; live?: boolean }) {
  const { state, load } = useBody(body);
  if (state.kind === "whole") return <Markdown text={state.text} live={live} />;
  return (
    <>
      <Markdown text={trimToWord(state.cut.head)} />
      <Rest state={state} load={load} />
    </>
  );
}

/** Plain text with its line breaks, loaded in the same way. */
export function PlainProse({ body, className = "" }: { body: Body; className?: string }) {
  const { state, load } = useBody(body);
  const look = `plain-prose whitespace-pre-wrap wrap-anywhere ${className}`;
  if (state.kind === "whole")
    return (
      <div className={look}>
        <MarkedText text={state.text} />
      </div>
    );
  return (
    <div className={look}>
      <MarkedText text={trimToWord(state.cut.head)} />
      <Rest state={state} load={load} />
    </div>
  );
}

function Rest({ state, load }: { state: Extract<BodyState, { kind: "cut" }>; load: () => void }) {
  if (state.problem !== undefined) return <ShowWhole state={state} load={load} />;
  return (
    <LoadInView load={load}>{strings.content.loadingRest(formatBytes(state.cut.bytes))}</LoadInView>
  );
}
