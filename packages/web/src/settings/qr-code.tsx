import { encode } from "uqr";
import { settingsStrings } from "../strings/settings-strings.ts";

/** A QR code, always dark on light, because cameras need that. */
export default function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 shrink-0"
      role="img"
      aria-label={settingsStrings.devices.qrCode}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
