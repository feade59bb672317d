import { onChanges } from "../../../ingest/source/source.ts";
import { trusts } from "../../../ingest/source/trust.ts";
import type { CommandGroup } from "../command.ts";
import { storeOptions } from "./options.ts";

const id = { form: "<id>", about: "the source's id" };

const settings = [
  { flags: "--title <text>", about: "how it is shown" },
  { flags: "--trust <level>", about: "how far it is trusted", choices: trusts },
  {
    flags: "--on-change <what>",
    about: "what happens to an approved skill that changes: out of use, or the approved revision stays",
    choices: onChanges,
  },
  { flags: "--fingerprint <sha256>", about: "the publisher's fingerprint; anything else is not taken in" },
  { flags: "--max-files <count>", about: "the most files one sync reads" },
  { flags: "--max-seconds <count>", about: "the longest one sync may take" },
  { flags: "--max-bytes <count>", about: "the most bytes one sync reads" },
  { flags: "--interval <time>", about: "sync it by itself, such as every 6h or 1d; `none`: only when asked" },
  {
    flags: "--include <name>",
    about: "a folder of a repository, or a plugin of a marketplace, that is taken in; others are not",
    repeatable: true,
  },
  { flags: "--all", about: "take in every plugin of a marketplace, also of one with more than 50" },
  { flags: "--token-env <name>", about: "the environment variable that holds the token for a private repository" },
  { flags: "--token-for-owner", about: "use the token also for other repositories of the same owner in a marketplace" },
];

export const source: CommandGroup = {
  name: "source",
  about: "where skills come from: add, list, show, set, sync, remove",
  commands: [
    {
      name: "add",
      about:
        "add a repository, a marketplace, one skill or a folder, and read it; nothing is used before it is approved",
      arguments: [
        {
          form: "<source>",
          about: "owner/repo, owner/repo@ref, owner/repo/path, a GitHub address, or a folder as ./path or /path",
        },
      ],
      options: [
        { flags: "--id <id>", about: "its id; by default made from the name of the repository or folder" },
        { flags: "--ref <ref>", about: "the branch, tag or commit (all 40 digits); by default the default branch" },
        {
          flags: "--kind <kind>",
          about: "what it is taken for; by default what is there says",
          choices: ["repo", "marketplace", "file"],
        },
        { flags: "--hosts <name>", about: "which GitHub of the configuration owner/repo means" },
        { flags: "--approve", about: "of one skill: approve the digest that is read now" },
        ...settings,
        { flags: "--no-sync", about: "only add it, read nothing yet" },
        ...storeOptions,
      ],
      examples: [
        "skillward source add owner/repo",
        "skillward source add owner/repo@v1.2.0 --interval 6h",
        "skillward source add https://github.com/owner/repo/blob/main/skills/pdf/SKILL.md",
        "skillward source add ./skills --id house --trust first_party",
      ],
      load: () => import("../commands/source/add.ts"),
    },
    {
      name: "list",
      about: "the sources, with when and how they were last synced",
      arguments: [],
      options: storeOptions,
      examples: ["skillward source list", "skillward source list --json"],
      load: () => import("../commands/source/list.ts"),
    },
    {
      name: "show",
      about: "one source, where it stands and what was proven, and how many of its skills are in which state",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward source show house"],
      load: () => import("../commands/source/show.ts"),
    },
    {
      name: "set",
      about: "change what is set about a source",
      arguments: [id],
      options: [
        ...settings,
        { flags: "--no-token", about: "forget its token" },
        { flags: "--no-token-for-owner", about: "use the token for its own repository alone" },
        { flags: "--enable", about: "sync it again" },
        { flags: "--disable", about: "do not sync it any more" },
        ...storeOptions,
      ],
      examples: ["skillward source set house --on-change hold", "skillward source set house --disable"],
      load: () => import("../commands/source/set.ts"),
    },
    {
      name: "sync",
      about: "read sources again and take in what changed",
      arguments: [{ form: "[id...]", about: "the sources; without one, all of them" }],
      options: [
        {
          flags: "--repair",
          about: "write the bytes of unchanged skills again too, over rows that were changed by hand",
        },
        ...storeOptions,
      ],
      examples: ["skillward source sync", "skillward source sync house --json"],
      load: () => import("../commands/source/sync.ts"),
    },
    {
      name: "remove",
      about: "remove a source; its skills go out of use, their history stays",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward source remove house"],
      load: () => import("../commands/source/remove.ts"),
    },
  ],
};
