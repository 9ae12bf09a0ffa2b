import type { FolderContents } from "@signalbox/client";
import { useCallback, useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { errorMessage } from "@signalbox/protocol/text";

interface FolderListing {
  readonly folder?: FolderContents;
  readonly problem?: string;
  readonly busy: boolean;
}

const TYPING_MS = 250;

/** Lists the folders inside a folder of a machine, by default the home folder on the hub's machine. */
export function useFolders(path: string | undefined, runner: string | undefined): FolderListing {
  const { client } = useAppContext();
  const [listing, setListing] = useState<FolderListing>({ busy: true });
  const load = useCallback(
    async (isCancelled: () => boolean) => {
      setListing((current) => ({ ...current, busy: true }));
      try {
        const folder = await client.folders({
          ...(path !== undefined && { path }),
          ...(runner !== undefined && { runner }),
        });
        if (!isCancelled()) setListing({ folder, busy: false });
      } catch (failure) {
        const problem = errorMessage(failure);
        if (!isCancelled()) setListing({ problem, busy: false });
      }
    },
    [client, path, runner],
  );
  useEffect(() => {
    let cancelled = false;
    // Debounced while a path is being typed.
    const timer = setTimeout(() => void load(() => cancelled), path === undefined ? 0 : TYPING_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [load, path]);
  return listing;
}
