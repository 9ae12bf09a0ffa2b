import type { OutputTail } from "@signalbox/api";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useItemServices } from "./items-context.tsx";
import { formatBytes } from "../../text/format.ts";
import { trimEndLines } from "../../text/lines.ts";
import { AnsiText } from "../../text/ansi-text.tsx";
import { strings } from "../../strings/strings.ts";

const REFRESH_MS = 1000;

/** The output of a background command, while it runs and afterwards. Once there is some, its height does not change. */
export function LiveOutput({ item, task }: { item: string; task: string }) {
  const { readOutput, useTaskRuns = returnFalse } = useItemServices();
  const runs = useTaskRuns(task);
  const tail = useOutputTail(item, runs, readOutput);
  const sheet = useRef<HTMLPreElement>(null);
  const text = trimEndLines(tail?.text ?? "");
  const follows = useRef(true);
  const wasLive = useRef(false);
  if (runs) wasLive.current = true;
  useLayoutEffect(() => {
    if (follows.current) sheet.current?.scrollTo(0, sheet.current.scrollHeight);
  }, [text]);
  if (!tail || (!runs && text === "")) return null;
  const cut = tail.bytes > new TextEncoder().encode(tail.text).length;
  return (
    <>
      <pre
        ref={sheet}
        className={`sheet live-output ${wasLive.current && text !== "" ? "h-[178px]" : ""}`}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 20;
        }}
        tabIndex={0}
        aria-label={strings.tools.output}
        data-role="live-output"
        dir="ltr"
      >
        {text === "" ? (
          <span className="text-dim">{strings.tools.noOutputYet}</span>
        ) : (
          <AnsiText text={text} />
        )}
      </pre>
      {cut && (
        <p className="p-2 text-small text-dim">
          {strings.tools.endOfOutput(formatBytes(tail.bytes))}
        </p>
      )}
    </>
  );
}

function returnFalse(): boolean {
  return false;
}

/** Reads the output repeatedly while the task runs and the page is visible, and once more when it has ended. */
function useOutputTail(
  item: string,
  runs: boolean,
  read: ((item: string) => Promise<OutputTail>) | undefined,
): OutputTail | undefined {
  const [tail, setTail] = useState<OutputTail>();
  useEffect(() => {
    if (!read) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancelled = false;
    const look = async () => {
      if (document.visibilityState === "visible") {
        const found = await read(item).catch(() => undefined); // The previous output stays if reading fails.
        if (cancelled) return;
        if (found) setTail((current) => (current?.text === found.text ? current : found));
      }
      if (runs) timer = setTimeout(() => void look(), REFRESH_MS);
    };
    void look();
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [item, runs, read]);
  return tail;
}
