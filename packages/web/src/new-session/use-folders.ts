import type { FolderView } from "@signalbox/client";
import { useCallback, useEffect, useState } from "react";
import { useWorld } from "../store/app-context.tsx";

export interface Listing {
  readonly folder?: FolderView;
  readonly problem?: string;
  readonly busy: boolean;
}

const TYPING_MS = 250;

/** The folders in a folder of a machine, the hub's own unless said; its home to begin with. */
export function useFolders(path: string | undefined, runner: string | undefined): Listing {
  const { client } = useWorld();
  const [listing, setListing] = useState<Listing>({ busy: true });
  const load = useCallback(
    async (isLeft: () => boolean) => {
      setListing((held) => ({ ...held, busy: true }));
      try {
        const folder = await client.folders({
          ...(path !== undefined && { path }),
          ...(runner !== undefined && { runner }),
        });
        if (!isLeft()) setListing({ folder, busy: false });
      } catch (failure) {
        const problem = failure instanceof Error ? failure.message : String(failure);
        if (!isLeft()) setListing({ problem, busy: false });
      }
    },
    [client, path, runner],
  );
  useEffect(() => {
    let left = false;
    // A path that is being typed is not looked up letter by letter.
    const timer = setTimeout(() => void load(() => left), path === undefined ? 0 : TYPING_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [load, path]);
  return listing;
}
