import { showPanel } from "../frame/frame-state.ts";
import { signal } from "../store/signal.ts";

/** Counts requests to go to a file: each puts the cursor into the search field. */
export const fileSearchRequests = signal(0);

/** Opens the files of the session that is shown, with the cursor in the search field. */
export function requestFileSearch(): void {
  showPanel("files");
  fileSearchRequests.set(fileSearchRequests.get() + 1);
}
