import type { Page } from "playwright-core";

/** The CPU seconds that all processes of the page's browser have used so far. */
export async function browserCpu(tab: Page): Promise<number> {
  const browser = tab.context().browser();
  if (!browser) throw new Error("this page has no browser");
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

export interface ReceivedBytes {
  /** Bodies and heads of HTTP answers, as they were sent, so compressed. */
  http: number;
  /** Payloads of WebSocket messages. */
  socket: number;
  /** The WebSocket messages themselves. */
  readonly messages: string[];
}

/** Counts what the page receives until `stop` is called; of HTTP only what `isCounted` says. */
export async function countReceived(tab: Page, isCounted = (_url: string): boolean => true) {
  const session = await tab.context().newCDPSession(tab);
  const received: ReceivedBytes = { http: 0, socket: 0, messages: [] };
  await session.send("Network.enable");
  const counted = new Set<string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (isCounted(request.url)) counted.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (counted.has(requestId)) received.http += encodedDataLength;
  });
  session.on("Network.webSocketFrameReceived", ({ response }) => {
    received.socket += Buffer.byteLength(response.payloadData);
    received.messages.push(response.payloadData);
  });
  return {
    received,
    stop: () => session.detach(),
  };
}
