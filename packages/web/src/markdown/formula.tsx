import { inert } from "../text/visible.ts";
import { memo, useEffect, useRef } from "react";

/**
 * A formula as MathML that KaTeX builds element by element, without markup, styles, fonts or addresses. Until
 * it is loaded, and if it fails, the source is shown.
 */
export const Formula = memo(function Formula({
  source,
  block,
}: {
  source: string;
  block: boolean;
}) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    let current = true;
    const draw = async () => {
      const { default: katex } = await import("katex");
      const element = place.current;
      if (!current || !element) return;
      try {
        katex.render(source, element, {
          output: "mathml",
          displayMode: block,
          throwOnError: true,
          trust: false,
          maxSize: 20,
          maxExpand: 500,
        });
        const line = element.parentElement;
        if (line && line.scrollWidth > line.clientWidth) element.tabIndex = 0; // Makes it scrollable by keyboard.
      } catch {
        element.textContent = inert(source); // An invalid formula stays as its source.
      }
    };
    void draw();
    return () => {
      current = false;
    };
  }, [source, block]);
  // The key is needed because KaTeX replaces what React has rendered.
  return (
    <code key={source} ref={place} className={block ? "formula block" : "formula"}>
      {inert(source)}
    </code>
  );
});
