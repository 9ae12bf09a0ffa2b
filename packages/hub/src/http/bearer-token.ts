/** The token of an `Authorization: Bearer` header. */
export function readBearerToken(headers: Headers): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,500})$/i.exec(headers.get("authorization") ?? "")?.[1];
}
