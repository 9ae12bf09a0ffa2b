import { strings } from "../strings/strings.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { lazy, StrictMode, Suspense } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type Credential, clearStorage, readCredential } from "../storage/credential.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { registerServiceWorker } from "./service-worker.ts";
import { copyOriginalText } from "../text/copy-marks.ts";
import { readPairingCode } from "../pair/code.ts";
import { UpgradeFailed } from "../pair/upgrade-failed.tsx";
import { openAppContext } from "../store/open-app-context.ts";
import { applyTheme } from "../store/preferences.ts";
import { AppContextProvider } from "../store/app-context.tsx";
import { preventFileNavigation } from "../navigation/file-drops.ts";
import { go } from "../navigation/router.ts";
import { AppShell } from "./app-shell.tsx";
import { errorMessage } from "@signalbox/protocol/text";

const PairPage = lazy(async () => ({ default: (await import("../pair/pair-page.tsx")).PairPage }));

/**
 * Removes the pairing code from the address before anything else happens, so that it stays in no history
 * (C7).
 */
function takePairingCode(): string | undefined {
  const code = readPairingCode(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  return code;
}

export async function start(element: HTMLElement): Promise<void> {
  // Pasting an address with a code into an open window only changes the fragment, which does not reload the
  // page.
  addEventListener(
    "hashchange",
    () => readPairingCode(location.hash) !== undefined && location.reload(),
  );
  addEventListener("copy", copyOriginalText);
  preventFileNavigation();
  const code = takePairingCode();
  applyTheme();
  const root = createRoot(element);
  const database = await openDatabase();
  let credential: Credential | undefined;
  try {
    credential = await readCredential(database);
  } catch (failure) {
    return showUpgradeFailure(root, database, failure);
  }
  if (credential && code === undefined) return openApp(root, database, credential);
  return showPairing(root, database, code);
}

function showUpgradeFailure(root: Root, database: Database, failure: unknown): void {
  const why = errorMessage(failure);
  const forget = () => void clearStorage(database).then(() => location.replace("/pair"));
  root.render(
    <StrictMode>
      <UpgradeFailed why={why} onForget={forget} />
    </StrictMode>,
  );
}

function showPairing(root: Root, database: Database, code: string | undefined): void {
  const onPaired = (made: Credential) => {
    if (location.pathname === "/pair") go("/", true);
    void openApp(root, database, made);
  };
  root.render(
    <StrictMode>
      <Suspense fallback={null}>
        <PairPage database={database} onPaired={onPaired} {...(code !== undefined && { code })} />
      </Suspense>
    </StrictMode>,
  );
}

async function openApp(root: Root, database: Database, credential: Credential): Promise<void> {
  const app = await openAppContext(database, credential);
  registerServiceWorker(app.client);
  root.render(
    <StrictMode>
      <AppContextProvider value={app}>
        <ErrorBoundary what={strings.parts.page}>
          <AppShell />
        </ErrorBoundary>
      </AppContextProvider>
    </StrictMode>,
  );
}
