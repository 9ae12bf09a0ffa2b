import { type CSSProperties, memo, useMemo } from "react";
import { ansiRuns, type Style } from "./ansi.ts";
import { ansiColors } from "./ansi-colors.ts";

/** The output of a command with its colors. */
export const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  const runs = useMemo(
    () => ansiRuns(text).map((run) => ({ ...run, look: styleRun(run.style) })),
    [text],
  );
  return runs.map((run, at) =>
    run.look === undefined ? (
      run.text
    ) : (
      <span key={at} className={run.look.className} style={run.look.style}>
        {run.text}
      </span>
    ),
  );
});

function styleRun(style: Style): { className: string; style: CSSProperties } | undefined {
  const { bold, italic, underline, strike } = style;
  const classes = [
    bold && "font-bold",
    italic && "italic",
    underline && "underline",
    strike && "line-through",
  ].filter((name) => name !== undefined);
  const colors = ansiColors(style);
  if (classes.length === 0 && colors.color === undefined) return undefined;
  return { className: classes.join(" "), style: colors };
}
