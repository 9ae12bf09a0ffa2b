import { dlopen, type Pointer, ptr, read } from "bun:ffi";
import { constants } from "node:os";

/** A TCP socket as a bare descriptor, on which this process does not accept connections. */
export interface RawSocket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

/** How many connections may wait while no hub accepts them. The kernel lowers this to its own limit. */
const BACKLOG = 1024;
const isMac = process.platform === "darwin";
const AI_PASSIVE = 1;
const SOCK_STREAM = 1;
/**
 * Only Linux has this flag. On macOS Bun closes all descriptors in a child that it was not told to pass on.
 */
const SOCK_CLOEXEC = isMac ? 0 : 0o2000000;
const SOL_SOCKET = isMac ? 0xffff : 1;
const SO_REUSEADDR = isMac ? 4 : 2;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = isMac ? 27 : 26;

const functions = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  listen: { args: ["i32", "i32"], returns: "i32" },
  getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  getaddrinfo: { args: ["ptr", "ptr", "ptr", "ptr"], returns: "i32" },
  freeaddrinfo: { args: ["ptr"], returns: "void" },
} as const;
const errnoFunction = { args: [], returns: "ptr" } as const;

/**
 * Binds a TCP socket, and listens on it if `listens` is set. This calls the C library, because neither
 * `Bun.listen` nor `node:net` can listen without accepting. Throws an error with the system's own code, such
 * as EADDRINUSE.
 */
export function openRawSocket(hostname: string, port: number, listens: boolean): RawSocket {
  const libc = loadLibc();
  return withAddress(libc, hostname, port, ({ family, address, length }) => {
    const fd = libc.socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) throw systemError(libc, "socket");
    const socket = { fd, close: () => void libc.close(fd) };
    try {
      const on = new Int32Array([1]);
      const off = new Int32Array([0]);
      // SO_REUSEADDR ignores connections that are closing. SO_REUSEPORT would let other processes join.
      if (libc.setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, ptr(on), 4) !== 0) {
        throw systemError(libc, "setsockopt");
      }
      // A socket for all addresses includes those of IPv4, whatever the system's default is.
      if (hostname === "::") libc.setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, ptr(off), 4);
      if (libc.bind(fd, address, length) !== 0) throw systemError(libc, "bind");
      if (listens && libc.listen(fd, BACKLOG) !== 0) throw systemError(libc, "listen");
      return { ...socket, port: boundPort(libc, fd) };
    } catch (error) {
      socket.close();
      throw error;
    }
  });
}

type Libc = ReturnType<typeof openLibc>;
let loaded: Libc | undefined;

function loadLibc(): Libc {
  return (loaded ??= openLibc());
}

function openLibc() {
  const arch = process.arch === "arm64" ? "aarch64" : "x86_64";
  const names = isMac ? ["libSystem.B.dylib"] : ["libc.so.6", `libc.musl-${arch}.so.1`];
  for (const name of names) {
    try {
      const { symbols } = dlopen(name, functions);
      const errno = isMac
        ? dlopen(name, { __error: errnoFunction }).symbols.__error
        : dlopen(name, { __errno_location: errnoFunction }).symbols.__errno_location;
      return { ...symbols, errno };
    } catch {
      // Tries the next name. Without any of them, this system cannot keep sockets open.
    }
  }
  throw new Error("The C library of this system cannot be loaded.");
}

interface Resolved {
  readonly family: number;
  readonly address: Pointer;
  readonly length: number;
}

function withAddress<T>(libc: Libc, hostname: string, port: number, use: (a: Resolved) => T): T {
  // The fields of struct addrinfo are: flags, family, type, protocol, length (padded to 8), and pointers.
  const hints = new Int32Array(12);
  hints[0] = AI_PASSIVE;
  hints[2] = SOCK_STREAM;
  const [node, service] = [Buffer.from(`${hostname}\0`), Buffer.from(`${port}\0`)];
  const found = new BigUint64Array(1);
  const failure = libc.getaddrinfo(ptr(node), ptr(service), ptr(hints), ptr(found));
  if (failure !== 0) {
    throw Object.assign(new Error(`getaddrinfo ${hostname}: ${failure}`), { code: "ENOTFOUND" });
  }
  const first = Number(found[0]) as Pointer;
  try {
    return use({
      family: read.i32(first, 4),
      length: read.u32(first, 16),
      address: read.ptr(first, isMac ? 32 : 24) as Pointer,
    });
  } finally {
    libc.freeaddrinfo(first);
  }
}

function boundPort(libc: Libc, fd: number): number {
  const address = new Uint8Array(128);
  const length = new Uint32Array([address.length]);
  if (libc.getsockname(fd, ptr(address), ptr(length)) !== 0) throw systemError(libc, "getsockname");
  // For IPv4 and IPv6 the port is in bytes 2 and 3, the higher byte first.
  return ((address[2] ?? 0) << 8) | (address[3] ?? 0);
}

function systemError(libc: Libc, call: string): Error {
  const where = libc.errno();
  const errno = where === null ? 0 : read.i32(where, 0);
  const code =
    Object.entries(constants.errno).find(([, value]) => value === errno)?.[0] ?? "UNKNOWN";
  return Object.assign(new Error(`${call}: ${code}`), { code, errno, syscall: call });
}
