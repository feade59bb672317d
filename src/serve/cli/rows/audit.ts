import type { CommandGroup } from "../command.ts";
import { lookOptions, storeOptions } from "./options.ts";

export const audit: CommandGroup = {
  name: "audit",
  about: "what happened, and whether it still says so: list, verify, export, where, replay, expire",
  commands: [
    {
      name: "list",
      about: "the changes of state, the newest first",
      arguments: [],
      options: [
        { flags: "--act <start>", about: "only acts that begin so, such as decision or user.added" },
        { flags: "--subject <text>", about: "only subjects that contain this" },
        { flags: "--by <name>", about: "only what this person did" },
        { flags: "--since <time>", about: "only from this day (2026-01-31) or moment (2026-01-31T18:00:00Z) on" },
        { flags: "--after <seq>", about: "only records after this one, the oldest first" },
        { flags: "--before <seq>", about: "only records before this one" },
        { flags: "--limit <count>", about: "the most to show", default: "50" },
        ...lookOptions,
      ],
      examples: ["skillward audit list", "skillward audit list --act decision --since 2026-01-31 --limit 500"],
      load: () => import("../commands/audit/list.ts"),
    },
    {
      name: "verify",
      about: "verify everything that can be: chain, signed words, usage, bytes, seals; exit 1 with findings",
      arguments: [],
      options: [{ flags: "--all", about: "also the bytes of revisions that are not in use" }, ...lookOptions],
      examples: ["skillward audit verify", "skillward audit verify --all --json"],
      load: () => import("../commands/audit/verify.ts"),
    },
    {
      name: "export",
      about: "every record as a line of JSON and the signed checkpoint as the last, to be verified anywhere",
      arguments: [],
      options: [
        { flags: "--to <file>", about: "where to write it; - is standard output", default: "-" },
        ...lookOptions,
      ],
      examples: ["skillward audit export --to audit.jsonl", "skillward audit export | gzip > audit.jsonl.gz"],
      load: () => import("../commands/audit/export.ts"),
    },
    {
      name: "where",
      about: "where a revision was used, by whose word, and what it is attached to now",
      arguments: [{ form: "<digest>", about: "its digest, or the first 4 digits or more" }],
      options: [
        { flags: "--each", about: "every single use with its time, instead of one line for each place" },
        { flags: "--limit <count>", about: "the most uses to show", default: "100" },
        ...lookOptions,
      ],
      examples: [
        "skillward audit where 3f9c02d1a4b5",
        "skillward audit where 3f9c02d1a4b5 --each --limit 10000 --json",
      ],
      load: () => import("../commands/audit/where.ts"),
    },
    {
      name: "replay",
      about: "write the usage that waits on the disk of this machine into the store",
      arguments: [],
      options: storeOptions,
      examples: ["skillward audit replay"],
      load: () => import("../commands/audit/replay.ts"),
    },
    {
      name: "expire",
      about: "remove usage that is older than usage.retention-days; the audit chain keeps its hashes",
      arguments: [],
      options: storeOptions,
      examples: ["skillward audit expire"],
      load: () => import("../commands/audit/expire.ts"),
    },
  ],
};
