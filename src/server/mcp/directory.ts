import type { Resource } from "@modelcontextprotocol/server";
import { DIRECTORY_MIME_TYPE } from "@modelcontextprotocol/server/ext/skills";
import { exactText } from "../../core/exact-text.ts";
import type { BundleFile } from "../../skill/bundle.ts";
import { mediaTypeOf, uriIn } from "./skill-uri.ts";

/** What lies directly in a folder of a skill, by URI; nothing when the URI is none of its folders. */
export function childrenOf(root: string, files: readonly BundleFile[], folder: string): readonly Resource[] {
  const children = new Map<string, Resource>();
  for (const file of files) {
    const uri = uriIn(root, file.path);
    if (uri === null || !uri.startsWith(`${folder}/`)) continue;
    const [first = "", ...deeper] = uri.slice(folder.length + 1).split("/");
    const child = `${folder}/${first}`;
    children.set(child, deeper.length === 0 ? fileAt(child, file) : folderAt(child, first));
  }
  return [...children.values()].toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

function fileAt(uri: string, { path, bytes }: BundleFile): Resource {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { uri, name, mimeType: mediaTypeOf(path, exactText(bytes) !== null), size: bytes.length };
}

function folderAt(uri: string, segment: string): Resource {
  return { uri, name: decodeURIComponent(segment), mimeType: DIRECTORY_MIME_TYPE };
}
