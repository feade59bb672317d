import { posix } from "node:path";
import { agentFinding } from "../../agent/agent-faults.ts";
import type { TrustBook } from "../../agent/skills/agent-skill.ts";
import { ahead } from "../../core/async.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";

const mostMarks = 100_000;
const markForm = /^[0-9a-f]{64}$/;
/** Each is flushed to the disk, which takes a moment. */
const writtenAtOnce = 16;

/** The book of one person: `<config folder>/trust`, a file for every mark. It is believed only while nobody else can write there. */
export function openTrustBook(files: Files & FilesToWrite, configFolder: string): TrustBook {
  const folder = posix.join(configFolder, "trust");
  return {
    read: () => readMarks(files, folder),
    add: (marks) => addMarks(files, folder, marks),
  };
}

async function readMarks(
  files: Files,
  folder: string,
): Promise<{ marks: ReadonlySet<Digest>; findings: readonly Finding[] }> {
  try {
    const { entries, complete } = await files.list(folder, mostMarks);
    if (!(await files.isPrivate(folder))) return unread(folder, openToOthers);
    const marks = new Set(entries.flatMap(({ name, kind }) => (kind === "file" && markForm.test(name) ? [name] : [])));
    return complete ? { marks, findings: [] } : { marks, findings: unread(folder, tooMany).findings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "path.missing") return { marks: new Set(), findings: [] };
    return unread(folder, error.message);
  }
}

const openToOthers = "others than its owner can enter it, so that it is not believed; run `chmod 700` on it";
const tooMany = `it has more than ${mostMarks} marks, and not all were read; remove old ones`;

function unread(folder: string, why: string): { marks: ReadonlySet<Digest>; findings: readonly Finding[] } {
  return { marks: new Set(), findings: [agentFinding("agent.trust-unread", folder, `the book of trust: ${why}`)] };
}

async function addMarks(
  files: Files & FilesToWrite,
  folder: string,
  marks: Parameters<TrustBook["add"]>[0],
): Promise<void> {
  await files.makePrivateFolder(folder);
  if (!(await files.isPrivate(folder))) throw new AppError("disk.failed", `${safeLine(folder, 240)}: ${openToOthers}`);
  const write = async ({ mark, note }: { readonly mark: Digest; readonly note: string }) => {
    if (!markForm.test(mark)) throw new AppError("usage.invalid", "a mark of trust is 64 hexadecimal digits");
    // One that is there says the same.
    await files.createPrivate(posix.join(folder, mark), Buffer.from(`${JSON.stringify(note)}\n`));
  };
  for await (const _ of ahead(marks, writtenAtOnce, write));
}
