import { useCallback, useDeferredValue } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { spelled, withoutHidden } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";

const text = strings.files;

interface Found {
  readonly path: string;
  readonly line?: number;
  readonly text?: string;
}

interface Props {
  readonly session: string;
  readonly query: string;
  readonly kind: "names" | "contents";
  readonly onOpen: (found: { readonly path: string; readonly line?: number }) => void;
}

/** Files by a part of their path, or lines that hold a text. */
export function FoundFiles({ session, query: typed, kind, onOpen }: Props) {
  const { client } = useAppContext();
  const query = useDeferredValue(typed);
  const search = useCallback(async (): Promise<{ found: readonly Found[]; isCut: boolean }> => {
    if (kind === "names") {
      const paths = await client.findFiles(session, query);
      return { found: paths.map((path) => ({ path })), isCut: false };
    }
    const { matches, cut } = await client.git.searchFiles(session, query);
    return { found: matches, isCut: cut };
  }, [client, session, query, kind]);
  const { state } = useLoad(search);
  return (
    <LoadedContent state={state}>
      {({ found, isCut }) => (
        <>
          {found.length === 0 && <p className="text-dim">{text.none}</p>}
          <ul className="flex flex-col">
            {found.map(({ path, line, text: content }) => (
              <li key={`${path}\0${line ?? ""}`}>
                <button
                  type="button"
                  className="flex w-full min-w-0 flex-col rounded-control px-1.5 py-1 text-left text-control hover:bg-hover pointer-coarse:min-h-11"
                  data-path={path}
                  onClick={() => onOpen({ path, ...(line !== undefined && { line }) })}
                >
                  <span className="w-full truncate">
                    {spelled(path)}
                    {line !== undefined && <span className="text-dim">:{line}</span>}
                  </span>
                  {content !== undefined && (
                    <code className="w-full truncate font-mono text-small text-dim">
                      {withoutHidden(content.trim())}
                    </code>
                  )}
                </button>
              </li>
            ))}
          </ul>
          {isCut && <p className="text-small text-dim">{text.cut}</p>}
        </>
      )}
    </LoadedContent>
  );
}
