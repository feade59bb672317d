import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Ended } from "./cli.ts";
import { skillwardWarm } from "./warm.ts";

interface Asking {
  /** `SKILLWARD_API_KEY`: act as the holder of this key. */
  readonly as?: string | undefined;
  readonly input?: string | Uint8Array | undefined;
}

/** A home folder of its own for the built command line, and all that was ever printed there. */
export class CliHome {
  readonly folder: string;
  readonly #printed: string[] = [];

  constructor(folder = mkdtempSync(join(tmpdir(), "skillward-home-"))) {
    this.folder = folder;
  }

  run(args: readonly string[], asking: Asking = {}): Ended {
    return this.#noted(skillwardWarm(args, this.#options(asking)));
  }

  /** The answer to `--json`; a command that ends in another way is thrown with what it said. */
  json(args: readonly string[], asking: Asking = {}) {
    const { code, out, err } = this.run([...args, "--json"], asking);
    if (code !== 0) throw new Error(`skillward ${args.join(" ")}: exit ${code}\n${out}${err}`);
    return JSON.parse(out);
  }

  /** The error that `--json` answers with, and the exit code. */
  refusal(args: readonly string[], asking: Asking = {}): { exit: number | null; code: string; message: string } {
    const { code: exit, out, err } = this.run([...args, "--json"], asking);
    const answer = JSON.parse(out === "" ? "{}" : out);
    if (answer.error === undefined) throw new Error(`skillward ${args.join(" ")} was not refused:\n${out}${err}`);
    return { exit, ...answer.error };
  }

  get printed(): string {
    return this.#printed.join("\n");
  }

  get database(): DatabaseSyncInstance {
    return new DatabaseSync(this.#databaseFile);
  }

  get #databaseFile(): string {
    return join(this.folder, ".local/share/skillward/skillward.db");
  }

  configure(yaml: string): void {
    this.#write(".config/skillward/config.yaml", yaml);
  }

  /** A file of the user's, and where it is. */
  file(path: string, text: string): string {
    this.#write(path, text);
    return join(this.folder, path);
  }

  /** A source folder with one skill for each name; the text is its body. */
  skills(source: string, bodies: Readonly<Record<string, string>>): string {
    for (const [name, body] of Object.entries(bodies))
      this.#write(
        `${source}/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: Says how to ${name}.\n---\n${body}\n`,
      );
    return join(this.folder, source);
  }

  /** Changes whenever a row of any table does, the audit among them, or the checkpoint. */
  fingerprint(): string {
    const hash = createHash("sha256");
    const database = this.database;
    try {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
      for (const { name } of tables as { name: string }[]) {
        const rows = database.prepare(`SELECT * FROM "${name}"`).all();
        hash.update(JSON.stringify([name, rows]));
      }
    } finally {
      database.close();
    }
    for (const path of this.files().filter((each) => each.includes("/checkpoints/"))) hash.update(readFileSync(path));
    return hash.digest("hex");
  }

  /** Where a secret is that should be nowhere: in what was printed, or in a file, in the clear or merely encoded. */
  leaks(secret: string): string[] {
    const bytes = Buffer.from(secret);
    const needles = [secret, ...(["base64", "base64url", "hex"] as const).map((encoding) => bytes.toString(encoding))];
    const holds = (text: { includes(needle: string): boolean }) => needles.some((needle) => text.includes(needle));
    const files = this.files().filter((path) => holds(readIfThere(path)));
    return holds(this.printed) ? ["printed", ...files] : files;
  }

  files(): string[] {
    const names = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  /** The same once more: what happens there does not happen here. */
  copy(): CliHome {
    const other = new CliHome();
    cpSync(this.folder, other.folder, { recursive: true, filter: (path) => !/\.db(?:-wal|-shm)?$/.test(path) });
    const target = other.#databaseFile;
    // As SQLite copies it: a connection that is closed later would move pages between its files meanwhile.
    if (existsSync(this.#databaseFile)) {
      const database = this.database;
      database.exec(`VACUUM INTO '${target}'`);
      database.close();
      chmodSync(target, 0o600);
    }
    return other;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  #options({ as, input }: Asking) {
    const env = { HOME: this.folder, USER: "tester", ...(as === undefined ? {} : { SKILLWARD_API_KEY: as }) };
    return { cwd: this.folder, env, ...(input === undefined ? {} : { input }) };
  }

  #noted(ended: Ended): Ended {
    this.#printed.push(ended.out, ended.err);
    return ended;
  }
}

/** The homes of one test file. */
export function createHomes() {
  const all: CliHome[] = [];
  const noted = (made: CliHome) => {
    all.push(made);
    return made;
  };
  return {
    all,
    home: () => noted(new CliHome()),
    /** Made at the first call; every call gets a copy of its own. */
    once: (make: () => CliHome) => {
      let made: CliHome | undefined;
      return () => noted((made ??= make()).copy());
    },
    remove: () => all.forEach((each) => each.remove()),
  };
}

/** SQLite removes its side files with its last connection, also between a listing and this. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
