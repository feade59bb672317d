import { type Digest, type FileDigest, sha256 } from "../core/digest.ts";

/**
 * One number over everything a source holds (IN-22), that its publisher can compute with `find`, `sha256sum` and
 * `sort`: sha256 over the lines `path:sha256-of-the-file`, in byte order, each ended by a line feed.
 */
export function fingerprintOf(
  skills: readonly { readonly path: string; readonly files: readonly FileDigest[] }[],
): Digest {
  const lines = skills.flatMap(({ path, files }) =>
    files.map((file) => `${path === "" ? "" : `${path}/`}${file.path}:${file.digest}\n`),
  );
  const sorted = lines.map((line) => Buffer.from(line)).toSorted((a, b) => Buffer.compare(a, b));
  return sha256(Buffer.concat(sorted));
}
