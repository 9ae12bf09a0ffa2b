import { SingleCardPage } from "./single-card-page.tsx";

interface Props {
  readonly why: string;
  readonly onForget: () => void;
}

/** Shown when a browser that was paired before devices had keys could not get one. */
export function UpgradeFailed({ why, onForget }: Props) {
  return (
    <SingleCardPage title="This browser could not renew its key">
      <p role="alert">{why}</p>
      <p className="text-dim">
        The hub was updated, and every paired device gets a new kind of key on its next visit. That
        needs the hub to be running. Nothing was lost: try again when it is back.
      </p>
      <div className="flex gap-2">
        <button type="button" className="button button-solid" onClick={() => location.reload()}>
          Try again
        </button>
        <button type="button" className="button" onClick={onForget}>
          Forget this pairing and pair again
        </button>
      </div>
    </SingleCardPage>
  );
}
