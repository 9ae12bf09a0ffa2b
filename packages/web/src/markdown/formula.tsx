import { inert } from "../text/visible.ts";
import { memo, useEffect, useRef } from "react";

/**
 * Mathematics, as MathML that KaTeX builds element by element: no markup is written, no style, no font and
 * no address of the text's own. Until it is there, and where it fails, its source stands in its place.
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
        if (line && line.scrollWidth > line.clientWidth) element.tabIndex = 0; // scrolled by keys, too
      } catch {
        element.textContent = inert(source); // what cannot be read stays as it was written
      }
    };
    void draw();
    return () => {
      current = false;
    };
  }, [source, block]);
  // The key: KaTeX replaces what React put there, so another source needs another element.
  return (
    <code key={source} ref={place} className={block ? "formula block" : "formula"}>
      {inert(source)}
    </code>
  );
});
