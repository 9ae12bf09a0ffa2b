import { useAppContext } from "../store/app-context.tsx";
import { SingleCardPage } from "./single-card-page.tsx";

/** Shown when the hub no longer accepts this browser's key. */
export function Unpaired({ why }: { why: string }) {
  const app = useAppContext();
  const again = async () => {
    await app.leave();
    location.replace("/pair");
  };
  return (
    <SingleCardPage title="This browser is no longer paired">
      <p>{why}</p>
      <p className="text-dim">
        Its key was taken away, has run out, or belongs to another hub. Unsent messages are still
        kept here; pairing again throws them away with everything else of the old key.
      </p>
      <div className="flex gap-2">
        <button type="button" className="button button-solid" onClick={() => void again()}>
          Forget the old key and pair again
        </button>
        <button type="button" className="button" onClick={() => app.client.goLive()}>
          Try the key once more
        </button>
      </div>
    </SingleCardPage>
  );
}
