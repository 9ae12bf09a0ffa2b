import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type Credential, forgetAll, readCredential } from "../storage/credential.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { keepPageOffline } from "./service-worker.ts";
import { copyAsWritten } from "../text/copy-marks.ts";
import { codeIn } from "../pair/code.ts";
import { NotUpgraded } from "../pair/not-upgraded.tsx";
import { PairPage } from "../pair/pair-page.tsx";
import { openWorld } from "../store/open-app-context.ts";
import { applyTheme } from "../store/preferences.ts";
import { WorldProvider } from "../store/app-context.tsx";
import { keepPageFromFiles } from "../navigation/file-drops.ts";
import { go } from "../navigation/router.ts";
import { Shell } from "./app-shell.tsx";

/** Takes the pairing code out of the address before anything else happens: it stays in no history (C7). */
function takeCode(): string | undefined {
  const code = codeIn(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  return code;
}

export async function start(element: HTMLElement): Promise<void> {
  // An address with a code may be pasted into a window that is open: the browser then changes the fragment alone.
  addEventListener("hashchange", () => codeIn(location.hash) !== undefined && location.reload());
  addEventListener("copy", copyAsWritten);
  keepPageFromFiles();
  const code = takeCode();
  applyTheme();
  const root = createRoot(element);
  const database = await openDatabase();
  let credential: Credential | undefined;
  try {
    credential = await readCredential(database);
  } catch (failure) {
    return showNotUpgraded(root, database, failure);
  }
  if (credential && code === undefined) return enter(root, database, credential);
  return showPairing(root, database, code);
}

function showNotUpgraded(root: Root, database: Database, failure: unknown): void {
  const why = failure instanceof Error ? failure.message : String(failure);
  const forget = () => void forgetAll(database).then(() => location.replace("/pair"));
  root.render(
    <StrictMode>
      <NotUpgraded why={why} onForget={forget} />
    </StrictMode>,
  );
}

function showPairing(root: Root, database: Database, code: string | undefined): void {
  const onPaired = (made: Credential) => {
    if (location.pathname === "/pair") go("/", true);
    void enter(root, database, made);
  };
  root.render(
    <StrictMode>
      <PairPage database={database} onPaired={onPaired} {...(code !== undefined && { code })} />
    </StrictMode>,
  );
}

async function enter(root: Root, database: Database, credential: Credential): Promise<void> {
  const world = await openWorld(database, credential);
  keepPageOffline(world.client);
  root.render(
    <StrictMode>
      <WorldProvider value={world}>
        <Shell />
      </WorldProvider>
    </StrictMode>,
  );
}
