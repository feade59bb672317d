import { mayRead } from "./access.ts";
import { type Answer, createText, etagOf } from "./answer.ts";
import type { Asked } from "./asked.ts";
import { flipped } from "./flip.ts";
import type { Hub } from "./hub.ts";
import { resolvePath } from "./resolve.ts";

/** `{owner}/{repository}/{commit or ref}/{path}`: the bytes of one file. */
export async function answerRaw(hub: Hub, { segments, token }: Asked): Promise<Answer> {
  const [owner = "", name = "", ...rest] = segments;
  const repository = hub.find(`${owner}/${name}`);
  if (!repository || !mayRead(repository, token)) return missing();
  const found = resolvePath(repository, rest);
  const entry = found && (await repository.store.files(found.commit.tree)).get(found.path);
  const blob = entry?.kind === "blob" ? repository.store.read(entry.id) : undefined;
  if (!blob) return missing();
  const body = repository.tampered === found?.path ? flipped(blob.bytes) : blob.bytes;
  return { status: 200, headers: { ...headers, etag: etagOf(body) }, body };
}

const headers = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "max-age=300",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

function missing(): Answer {
  return createText(404, "404: Not Found");
}
