import { type KeyboardEvent, type PointerEvent, useState } from "react";

interface Props {
  readonly label: string;
  readonly width: number;
  readonly limits: { readonly min: number; readonly normal: number; readonly max: number };
  /** The side of the column at which the handle is. */
  readonly side: "start" | "end";
  readonly onWidth: (width: number) => void;
}

const KEY_STEP_PX = 16;

/** The handle that resizes a column, by pointer or arrow keys. A double click restores the normal width. */
export function Splitter({ label, width, limits, side, onWidth }: Props) {
  const [dragging, setDragging] = useState(false);
  const clamp = (value: number) => Math.round(Math.min(limits.max, Math.max(limits.min, value)));
  const direction = side === "end" ? 1 : -1;

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const handle = event.currentTarget;
    const from = event.clientX;
    const towardsEnd = getComputedStyle(handle).direction === "rtl" ? -direction : direction;
    handle.setPointerCapture(event.pointerId);
    setDragging(true);
    const move = (moved: globalThis.PointerEvent) =>
      onWidth(clamp(width + (moved.clientX - from) * towardsEnd));
    const end = () => {
      setDragging(false);
      handle.removeEventListener("pointermove", move);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -KEY_STEP_PX, ArrowRight: KEY_STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onWidth(clamp(width + step * direction));
  };
  return (
    <div
      className={`splitter ${side === "end" ? "-end-1" : "-start-1"}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      tabIndex={0}
      data-dragging={dragging}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onWidth(limits.normal)}
    />
  );
}
