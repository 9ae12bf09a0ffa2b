import { escapeForTerminal } from "@signalbox/protocol/text";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { UsageError } from "../usage-error.ts";

interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Checks both files before anything else starts, so that errors name the option. */
export function checkTlsFiles(certFile?: string, keyFile?: string): TlsFiles | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new UsageError("--tls-cert and --tls-key must be used together.");
  }
  const [cert] = parsePem(
    "--tls-cert",
    certFile,
    "a certificate or a certificate chain in PEM format",
    parseCertificateChain,
  );
  const key = parsePem(
    "--tls-key",
    keyFile,
    "a private key in PEM format without a passphrase",
    (pem) => createPrivateKey(pem),
  );
  if (!cert.checkPrivateKey(key)) {
    const files = `${escapeForTerminal(keyFile)} does not match the certificate ${escapeForTerminal(certFile)}`;
    throw new UsageError(`--tls-key: ${files}.`);
  }
  return { certFile, keyFile };
}

const CERTIFICATE =
  /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[^-]*(?:-----END [A-Z0-9 ]*CERTIFICATE-----)?/g;

/** Parses every certificate of a chain, the certificate of the server first. */
function parseCertificateChain(pem: Buffer): [X509Certificate, ...X509Certificate[]] {
  const [, ...above] = pem.toString("latin1").match(CERTIFICATE) ?? [];
  return [new X509Certificate(pem), ...above.map((each) => new X509Certificate(each))];
}

function parsePem<T>(flag: string, file: string, what: string, read: (pem: Buffer) => T): T {
  const pem = readPem(flag, file);
  try {
    return read(pem);
  } catch {
    throw new UsageError(`${flag}: ${escapeForTerminal(file)} is not ${what}.`);
  }
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (failure) {
    const isMissing = (failure as NodeJS.ErrnoException).code === "ENOENT";
    const why = isMissing ? "does not exist" : "cannot be read";
    throw new UsageError(`${flag}: the file ${escapeForTerminal(file)} ${why}.`);
  }
}
