import { useAppContext } from "../store/app-context.tsx";
import { SingleCardPage } from "./single-card-page.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.pairing;

/** Shown when the hub no longer accepts this browser's key. */
export function Unpaired({ why }: { why: string }) {
  const app = useAppContext();
  const again = async () => {
    await app.leave();
    location.replace("/pair");
  };
  return (
    <SingleCardPage title={text.unpairedTitle}>
      <p>{why}</p>
      <p className="text-dim">{text.unpairedText}</p>
      <div className="flex gap-2">
        <button type="button" className="button button-solid" onClick={() => void again()}>
          {text.pairAgain}
        </button>
        <button type="button" className="button" onClick={() => app.client.goLive()}>
          {text.tryAgain}
        </button>
      </div>
    </SingleCardPage>
  );
}
