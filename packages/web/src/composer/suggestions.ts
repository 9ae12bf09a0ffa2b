import { useEffect, useState } from "react";
import type { AgentCommand } from "@signalbox/api";
import { rankMatches, type CompletionToken } from "./token.ts";

interface Suggestion {
  readonly name: string;
  readonly note?: string;
}

/** Finds files whose path contains these letters. The same function until it searches another folder. */
export type FileSearch = (query: string) => Promise<readonly string[]>;

const DEBOUNCE_MS = 80;

/** Suggestions for the word at the caret: commands and skills, or files of the session's folder. */
export function useSuggestions(
  findFiles: FileSearch,
  token: CompletionToken | undefined,
  commands: readonly AgentCommand[],
): readonly Suggestion[] {
  const files = useFileSuggestions(findFiles, token?.kind === "file" ? token.query : undefined);
  if (token?.kind === "file") return files;
  if (token?.kind !== "command") return [];
  return rankMatches(commands, token.query).map(({ name, description, argumentHint }) => ({
    name,
    note: [argumentHint, description].filter(Boolean).join(" "),
  }));
}

function useFileSuggestions(
  findFiles: FileSearch,
  query: string | undefined,
): readonly Suggestion[] {
  const [files, setFiles] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    if (query === undefined) {
      setFiles([]);
      return undefined;
    }
    let cancelled = false;
    const look = async () => {
      const found = await findFiles(query);
      if (!cancelled) setFiles(found.slice(0, 8).map((name) => ({ name })));
    };
    const timer = setTimeout(() => void look().catch(() => undefined), DEBOUNCE_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [findFiles, query]);
  return files;
}
