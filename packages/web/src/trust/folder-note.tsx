import { useEffect, useState } from "react";
import { counted } from "../text/format.ts";
import { useWorld } from "../store/app-context.tsx";

const TYPING_MS = 300;

/** Before a session is made: that its folder brings code of its own, and that it stays off. */
export function FolderNote({ folder, runner }: { folder: string; runner: string | undefined }) {
  const { client } = useWorld();
  const [count, setCount] = useState(0);
  useEffect(() => {
    let left = false;
    const look = async () => {
      const where = { folder, ...(runner !== undefined && { runner }) };
      const found = await client.folderTrust(where).catch(() => undefined); // not there, or not allowed
      if (!left) setCount(found && found.state !== "trusted" ? found.untrusted.length : 0);
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [client, folder, runner]);
  if (count === 0) return null;
  return (
    <p className="text-small text-dim" data-role="folder-note">
      This folder brings code of its own ({counted(count, "thing")} that would run or be allowed by
      itself). It stays off; the session shows it and asks whether to trust it.
    </p>
  );
}
