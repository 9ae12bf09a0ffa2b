import { type RefObject, useEffect, useRef, useState } from "react";
import { parseFrameMessage } from "./frame-message.ts";
import { useDark } from "./use-dark.ts";
import { strings } from "../../strings/strings.ts";

/** How long to wait for a frame that has loaded but does not answer. */
const TIMEOUT_MS = 20_000;

interface DiagramFrame {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly onLoad: () => void;
  /** The natural height of the diagram. */
  readonly height: number | undefined;
  readonly problem: string | undefined;
}

/** Sends the source to the frame once it is ready, and receives the result. */
export function useDiagramFrame(code: string): DiagramFrame {
  const frame = useRef<HTMLIFrameElement>(null);
  const dark = useDark();
  const [loaded, setLoaded] = useState(false);
  const [ready, setReady] = useState(false);
  const [height, setHeight] = useState<number>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      if (!source || source !== frame.current?.contentWindow) return;
      const message = parseFrameMessage(data);
      if (message?.kind === "ready") setReady(true);
      if (message?.kind === "failed") setProblem(message.problem);
      if (message?.kind === "drawn") setHeight(message.height);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  useEffect(() => {
    // A sandboxed frame has no origin to name. It receives nothing but the text that it shows.
    if (ready) frame.current?.contentWindow?.postMessage({ code, dark }, "*");
  }, [ready, code, dark]);
  const waiting = loaded && height === undefined && problem === undefined;
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setProblem(strings.content.diagram.timeout), TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return { frame, onLoad: () => setLoaded(true), height, problem };
}
