import { memo } from "react";
import { inert } from "../text/visible.ts";
import { CodeLine } from "./code-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { findLanguageByName } from "./highlight/detect-language.ts";
import { useHighlight } from "./highlight/use-highlight.ts";

/** A code block with its language, highlighting and a copy button. */
export const CodeBlock = memo(function CodeBlock({
  code,
  name,
}: {
  code: string;
  name: string | null | undefined;
}) {
  const lines = useHighlight(code, findLanguageByName(name));
  return (
    <figure className="group my-3 rounded-box border border-line bg-panel">
      <figcaption className="flex h-7 items-center justify-between border-b border-line pr-1 pl-3 text-small text-dim">
        <span className="font-mono">{inert(name ?? "text")}</span>
        <CopyButton text={code} what="code" />
      </figcaption>
      <pre className="overflow-x-auto p-3 font-mono text-small" tabIndex={0}>
        <code>
          {lines.map((tokens, at) => (
            <span key={at} className="code-line">
              <CodeLine tokens={tokens} />
              {
                at < lines.length - 1 &&
                  "\n" /* No line break after the last line, which may still grow. */
              }
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
});
