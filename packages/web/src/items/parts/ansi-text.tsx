import { type CSSProperties, memo, useMemo } from "react";
import { ansiRuns, type Style } from "../text/ansi.ts";

/** Output of a command in its colours. */
export const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  const runs = useMemo(() => ansiRuns(text), [text]);
  return runs.map((run, at) => {
    const look = lookOf(run.style);
    return look === undefined ? (
      run.text
    ) : (
      <span key={at} className={look.className} style={look.style}>
        {run.text}
      </span>
    );
  });
});

function lookOf(style: Style): { className: string; style: CSSProperties } | undefined {
  const { bold, dim, italic, underline, strike, inverse } = style;
  const color = inverse ? (style.background ?? "ground") : style.color;
  const background = inverse ? (style.color ?? "ink") : style.background;
  const classes = [
    bold && "font-bold",
    dim && "opacity-70",
    italic && "italic",
    underline && "underline",
    strike && "line-through",
  ].filter((name) => name !== undefined);
  if (classes.length === 0 && color === undefined && background === undefined) return undefined;
  return {
    className: classes.join(" "),
    style: {
      ...(color !== undefined && { color: paint(color) }),
      ...(background !== undefined && { backgroundColor: paint(background) }),
    },
  };
}

function paint(color: number | string): string {
  if (typeof color === "number") return `var(--ansi-${color})`;
  return color.startsWith("#") ? color : `var(--color-${color})`;
}
