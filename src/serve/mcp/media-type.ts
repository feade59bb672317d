/** What a host is told that a file is. Only a hint: nobody may act on it. */
export function mediaTypeOf(path: string, isText: boolean): string {
  const [, ending = ""] = /\.([a-z0-9]{1,8})$/i.exec(path) ?? [];
  return types.get(ending.toLowerCase()) ?? (isText ? "text/plain" : "application/octet-stream");
}

const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    md: "text/markdown",
    json: "application/json",
    yaml: "application/yaml",
    yml: "application/yaml",
    py: "text/x-python",
    sh: "application/x-sh",
    js: "text/javascript",
    mjs: "text/javascript",
    ts: "text/typescript",
    html: "text/html",
    css: "text/css",
    csv: "text/csv",
    xml: "application/xml",
    svg: "image/svg+xml",
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    pdf: "application/pdf",
  }),
);
