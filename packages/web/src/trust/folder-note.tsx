import { useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const DEBOUNCE_MS = 300;

/** A note in the new-session dialog that the folder contains code of its own, which stays off. */
export function FolderCodeNote({ folder, runner }: { folder: string; runner: string | undefined }) {
  const { client } = useAppContext();
  const [count, setCount] = useState(0);
  useEffect(() => {
    let cancelled = false;
    const look = async () => {
      const where = { folder, ...(runner !== undefined && { runner }) };
      const found = await client.folderTrust(where).catch(() => undefined); // The folder does not exist or is not allowed.
      if (!cancelled) setCount(found && found.state !== "trusted" ? found.untrusted.length : 0);
    };
    const timer = setTimeout(() => void look(), DEBOUNCE_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [client, folder, runner]);
  if (count === 0) return null;
  return (
    <p className="text-small text-dim" data-role="folder-note">
      {strings.trust.folderNote(count)}
    </p>
  );
}
