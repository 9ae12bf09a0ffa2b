import { dlopen } from "bun:ffi";
import { openListeningSockets, type ListeningSockets } from "@signalbox/hub/listening-sockets";
import type { ListenOptions } from "@signalbox/hub";

const names = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
const { symbols: libc } = dlopen(names, { dup: { args: ["i32"], returns: "i32" } });

/** Sockets that this process holds, and copies of them for hubs in it: each hub closes its own. */
export function holdInProcess(
  options: Partial<ListenOptions> = {},
): ListeningSockets & Disposable & { inherit(): number[] } {
  const sockets = openListeningSockets({ port: 0, ...options });
  return {
    ...sockets,
    inherit: () => sockets.fds.map((fd) => libc.dup(fd)),
    [Symbol.dispose]: () => sockets.close(),
  };
}
