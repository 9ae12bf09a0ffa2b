import { useSyncExternalStore } from "react";
import { saveState } from "../storage/save-state.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.frame;

/** Says that nothing is saved in this browser, because its storage is forbidden or full. */
export function StorageProblem() {
  const { database } = useAppContext();
  const isFailing = useSyncExternalStore(saveState.subscribe, saveState.get);
  if (database.isPersistent && !isFailing) return null;
  return (
    <p className="banner" role="status" data-role="not-saved">
      <span className="font-medium text-waiting">{text.notSaved}</span>
      {database.isPersistent ? text.storageFull : text.storageForbidden}
    </p>
  );
}
