import type { PixelSize } from "../store/attachment.ts";

export interface ScaledImage {
  readonly blob: Blob;
  readonly from: PixelSize;
  readonly to: PixelSize;
}

/** Scales a picture down in a worker, which ends with it. Undefined if it cannot be read. */
export async function scaleImage(file: File): Promise<ScaledImage | undefined> {
  const [{ workerAddress }, { trustedScript }] = await Promise.all([
    import("./scale-worker-address.ts"),
    import("../browser/trusted-script.ts"),
  ]);
  const worker = new Worker(trustedScript(workerAddress), { type: "module", name: "scale" });
  const { promise, resolve } = Promise.withResolvers<ScaledImage | undefined>();
  worker.addEventListener("message", ({ data }: MessageEvent<{ scaled?: ScaledImage }>) =>
    resolve(data.scaled),
  );
  worker.addEventListener("error", () => resolve(undefined));
  // oxlint-disable-next-line require-post-message-target-origin -- it is a worker, and no window
  worker.postMessage({ file });
  return promise.finally(() => worker.terminate());
}
