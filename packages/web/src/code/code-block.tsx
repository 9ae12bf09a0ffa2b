import { memo } from "react";
import { inert } from "../text/visible.ts";
import { CodeLine } from "./code-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { findLanguageByName } from "./highlight/detect-language.ts";
import { useHighlight } from "./highlight/use-highlight.ts";

/** Code in a text: its language, its lines in colours, and a way to take it along. */
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
              {at < lines.length - 1 && "\n" /* at the end of a line that grows it would move */}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
});
