import { posix } from "node:path";
import { canonicalJson } from "../../core/canonical.ts";
import { type Digest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Files } from "../../core/world.ts";
import type { ProjectRules, ReadRules } from "../../agent/agent-host.ts";
import type { TrustBook } from "../../agent/skills/agent-skill.ts";
import { defuse } from "../../compose/defuse.ts";

const rulesFile = "AGENTS.md";
const mostBytes = 32 * 1024;

const none: ReadRules = { state: "none", text: "", bytes: 0, note: `the workspace has no ${rulesFile}` };

/** AG-2 for `AGENTS.md`: a cloned repository's rules are read by nobody but a person, until that person says yes to them. */
export function projectRules(files: Files, workspace: string, book: TrustBook, trustAll: boolean): ProjectRules {
  const path = posix.join(workspace, rulesFile);
  let lastRead: Digest | null = null;
  /** With the whole workspace: for what was there at the beginning, not for what anybody writes later. */
  let vouched: Digest | null = null;
  let hasLooked = false;
  return {
    async read() {
      const found = await readFile(files, path);
      const mark = found instanceof Uint8Array ? markOf(path, found) : null;
      if (trustAll && !hasLooked) vouched = mark;
      hasLooked = true;
      if (!(found instanceof Uint8Array)) return found;
      lastRead = mark;
      const text = decode(found);
      if (text === undefined) return { ...unusable("is not valid UTF-8"), bytes: found.length };
      const isConfirmed = mark !== null && (mark === vouched || (await book.read()).marks.has(mark));
      const bytes = found.length;
      if (isConfirmed)
        return { state: "confirmed", text: defuse(text).text, bytes, note: `${rulesFile} is in the prompt` };
      return {
        state: "unconfirmed",
        text: "",
        bytes,
        note: `${rulesFile} is not in the prompt: nobody has confirmed it`,
      };
    },
    async confirm() {
      if (lastRead !== null) await book.add([{ mark: lastRead, note: `rules ${path}` }]);
    },
  };
}

async function readFile(files: Files, path: string): Promise<Uint8Array | ReadRules> {
  try {
    const bytes = await files.read(path, mostBytes);
    return bytes instanceof Uint8Array ? bytes : unusable(`has more than ${mostBytes} bytes`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "path.missing" ? none : unusable(error.message);
  }
}

function unusable(why: string): ReadRules {
  return { state: "unusable", text: "", bytes: 0, note: `${rulesFile} ${why}` };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function markOf(path: string, bytes: Uint8Array): Digest {
  return sha256(Buffer.from(canonicalJson(["rules", path, sha256(bytes)])));
}
