/** What Node says of bytes that are no request, by its own codes. */
const statuses: Readonly<Record<string, readonly [status: number, title: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** An answer for what never became a request, as it goes over the connection. */
export function malformed(code: string | undefined): { status: number; text: string } {
  const [status, title] = (code === undefined ? undefined : statuses[code]) ?? [400, "Bad Request"];
  const body = JSON.stringify({ type: "about:blank", title, status });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    "connection: close",
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    "cache-control: no-store",
  ];
  return { status, text: `${head.join("\r\n")}\r\n\r\n${body}` };
}
