/**
 * A process of another user that tries, again and again, to listen on a port of 127.0.0.1 and ::1, with
 * every option that might let it in. In Perl, which is on every Debian and needs no file of ours.
 */
const PROGRAM = `
use strict; use Socket qw(:all); $| = 1;
my $port = shift; my ($tries, $input) = (0, "");
for (;;) {
  for my $to ([AF_INET, pack_sockaddr_in($port, inet_aton("127.0.0.1"))],
              [AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, "::1"))]) {
    socket(my $s, $to->[0], SOCK_STREAM, 0) or next;
    setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
    setsockopt($s, SOL_SOCKET, SO_REUSEPORT, 1);
    $tries++;
    print "taken\\n" if bind($s, $to->[1]) && listen($s, 1);
    close $s;
  }
  my $ready = ""; vec($ready, 0, 1) = 1;
  last if select($ready, undef, undef, 0.0005) && !sysread(STDIN, $input, 1);
}
print "tries $tries\\n";
`;

/** Undefined: this process may become the other user. Otherwise why it may not. */
export const noSquatter =
  process.getuid?.() !== 0
    ? "needs root, to be another user"
    : ["setpriv", "perl"].find((program) => !Bun.which(program));

export function startSquatter(port: number) {
  const as = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  const child = Bun.spawn([...as, "perl", "-e", PROGRAM, String(port)], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  return {
    /** Ends it; gives how often it has tried and how often it had the port. */
    async end(): Promise<{ tries: number; taken: number }> {
      await child.stdin.end();
      const text = await new Response(child.stdout).text();
      const tries = Number(/tries (\d+)/.exec(text)?.[1]);
      return { tries, taken: text.split("taken").length - 1 };
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
}
