import { gunzipSync, gzipSync } from "node:zlib";
import { mayRead, type Repository, resolveCommit, resolvePath } from "./repository.ts";
import { type Answer, createText, etagOf } from "./answer.ts";
import type { Asked } from "./asked.ts";
import type { Commit } from "./objects.ts";
import type { Hub } from "./hub.ts";
import { remembering } from "./git.ts";
import { createTar, flippedIn, flipped } from "./tar.ts";

/** `{owner}/{repository}/tar.gz/{commit or ref}`: all files of a commit, below one folder. */
export type Codeload = (asked: Asked) => Promise<Answer>;

export function createCodeload(hub: Hub): Codeload {
  const tarballs = new WeakMap<Repository, (key: string) => Promise<Buffer>>();
  return async ({ segments, token }) => {
    const [owner = "", name = "", format, ...rest] = segments;
    const repository = hub.find(`${owner}/${name}`);
    if (!repository || !mayRead(repository, token) || format !== "tar.gz") return missing();
    const wanted = rest.join("/");
    const commit = resolveCommit(repository, wanted);
    if (!commit) return missing();
    const folder = folderOf(repository, wanted);
    const remembered = tarballs.get(repository) ?? remembering((key) => archive(hub, repository, key));
    tarballs.set(repository, remembered);
    const whole = await remembered(`${commit.id} ${folder}`);
    const { tampered } = repository;
    const body = tampered === undefined ? whole : gzipSync(flippedIn(gunzipSync(whole), `${folder}${tampered}`));
    return { status: 200, headers: headersOf(folder, body), body };
  };
}

/** Slashes of a ref become dashes: it is one folder. */
function folderOf({ fullName }: Repository, wanted: string): string {
  const [, name = ""] = fullName.split("/");
  return `${name}-${wanted.replace(/^refs\/(?:heads|tags)\//, "").replaceAll("/", "-")}/`;
}

async function archive({ git }: Hub, repository: Repository, key: string): Promise<Buffer> {
  const space = key.indexOf(" ");
  const [id, folder] = [key.slice(0, space), key.slice(space + 1)];
  const args = [`--git-dir=${repository.folder}`, "archive", "--format=tar.gz", `--prefix=${folder}`, id];
  const commit = repository.store.commit(id);
  // It refuses names such as `..`, which somebody else's program might write all the same.
  return git.run(args).catch(() => archiveByHand(repository, commit, folder));
}

async function archiveByHand({ store }: Repository, commit: Commit | undefined, folder: string): Promise<Buffer> {
  const entries = commit ? store.list(commit.tree, true) : [];
  const files = entries.filter(({ mode }) => mode === "100644" || mode === "100755");
  const parts = files.map(({ path, id }) => ({
    path: folder + path,
    bytes: store.read(id)?.bytes ?? Buffer.alloc(0),
  }));
  return gzipSync(createTar(parts));
}

function headersOf(folder: string, body: Buffer): Record<string, string> {
  return {
    "content-type": "application/x-gzip",
    "content-disposition": `attachment; filename=${folder.slice(0, -1).replaceAll(/[^\w.-]/g, "_")}.tar.gz`,
    etag: etagOf(body),
    "x-content-type-options": "nosniff",
  };
}

/** `{owner}/{repository}/{commit or ref}/{path}`: the bytes of one file. */
export async function answerRaw(hub: Hub, { segments, token }: Asked): Promise<Answer> {
  const [owner = "", name = "", ...rest] = segments;
  const repository = hub.find(`${owner}/${name}`);
  if (!repository || !mayRead(repository, token)) return missing();
  const found = resolvePath(repository, rest);
  const entry = found && repository.store.files(found.commit.tree).get(found.path);
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
