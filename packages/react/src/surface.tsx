import type { CSSProperties, ReactNode } from "react";

const FILLING: CSSProperties = {
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
};

/** The page's styles give its root the height of the window. */
const FITTING: CSSProperties = { height: "auto" };

/** The root of a component: the styles apply inside of it and nowhere else on the page. */
export function Surface({ fills = false, children }: { fills?: boolean; children: ReactNode }) {
  return (
    <div className="signalbox" style={fills ? FILLING : FITTING}>
      {children}
    </div>
  );
}
