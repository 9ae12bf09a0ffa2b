import { useEffect, useState } from "react";
import { useWorld } from "../store/app-context.tsx";
import type { Command } from "../session-info/abilities.ts";
import { ranked, type Token } from "./token.ts";

export interface Offer {
  readonly name: string;
  readonly note?: string;
}

const PAUSE_MS = 80;

/** What could stand at the caret: commands and skills, or files of the session's folder. */
export function useOffers(
  session: string,
  token: Token | undefined,
  commands: readonly Command[],
): readonly Offer[] {
  const files = useFiles(session, token?.kind === "file" ? token.query : undefined);
  if (token?.kind === "file") return files;
  if (token?.kind !== "command") return [];
  return ranked(commands, token.query).map(({ name, description, argumentHint }) => ({
    name,
    note: [argumentHint, description].filter(Boolean).join(" "),
  }));
}

function useFiles(session: string, query: string | undefined): readonly Offer[] {
  const { client } = useWorld();
  const [files, setFiles] = useState<readonly Offer[]>([]);
  useEffect(() => {
    if (query === undefined) {
      setFiles([]);
      return undefined;
    }
    let left = false;
    const look = async () => {
      const found = await client.findFiles(session, query);
      if (!left) setFiles(found.slice(0, 8).map((name) => ({ name })));
    };
    const timer = setTimeout(() => void look().catch(() => undefined), PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [client, session, query]);
  return files;
}
