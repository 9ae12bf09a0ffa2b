import { memo } from "react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { CodeLine } from "./code-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { findLanguageByName } from "./highlight/detect-language.ts";
import { useHighlight } from "./highlight/use-highlight.ts";

const text = strings.content;

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
    <figure className="code-block">
      <figcaption>
        <span className="font-mono">{inert(name ?? text.plainText)}</span>
        <CopyButton text={code} what={text.code} />
      </figcaption>
      <pre tabIndex={0}>
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
