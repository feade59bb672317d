import { createHash } from "node:crypto";
import { readTarGz } from "./read-tar-gz.ts";

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly url: string;
  readonly digest: string;
}

export interface ReadSkill extends Listed {
  readonly files: Readonly<Record<string, string>>;
}

/** Reads `.well-known/agent-skills` as a stranger does: the index, then every address in it, each against its digest. */
export async function readShelf(server: string): Promise<readonly ReadSkill[]> {
  const index = `${server}/.well-known/agent-skills/index.json`;
  const answer = await fetch(index);
  if (answer.status !== 200) throw new Error(`the index: ${answer.status}`);
  const { $schema, skills, ...rest }: { $schema: string; skills: readonly Listed[] } = JSON.parse(await answer.text());
  if ($schema !== "https://schemas.agentskills.io/discovery/0.2.0/schema.json") throw new Error(`of ${$schema}`);
  if (Object.keys(rest).length > 0) throw new Error(`more than is described: ${Object.keys(rest).join(", ")}`);
  return Promise.all(skills.map((listed) => readSkill(index, listed)));
}

async function readSkill(index: string, listed: Listed): Promise<ReadSkill> {
  const answer = await fetch(new URL(listed.url, index));
  if (answer.status !== 200) throw new Error(`${listed.url}: ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (digest !== listed.digest) throw new Error(`${listed.url} is not ${listed.digest}`);
  const files =
    listed.type === "skill-md"
      ? [["SKILL.md", bytes.toString()]]
      : readTarGz(bytes).map((file) => [file.path, file.bytes.toString()]);
  return { ...listed, files: Object.fromEntries(files) };
}
