import { SingleCardPage } from "./single-card-page.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.pairing;

interface Props {
  readonly why: string;
  readonly onForget: () => void;
}

/** Shown when a browser that was paired before devices had keys could not get one. */
export function UpgradeFailed({ why, onForget }: Props) {
  return (
    <SingleCardPage title={text.upgradeTitle}>
      <p role="alert">{why}</p>
      <p className="text-dim">{text.upgradeText}</p>
      <div className="flex gap-2">
        <button type="button" className="button button-solid" onClick={() => location.reload()}>
          {text.tryAgain}
        </button>
        <button type="button" className="button" onClick={onForget}>
          {text.pairAgain}
        </button>
      </div>
    </SingleCardPage>
  );
}
