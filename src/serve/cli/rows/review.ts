import type { Command } from "../command.ts";
import { storeOptions } from "./options.ts";

export const review: Command = {
  name: "review",
  about: "at a terminal, the review screen; what waits; one skill as it is put before a person; the decision",
  arguments: [{ form: "[skill]", about: "an entry's id, or its name where only one has it" }],
  options: [
    { flags: "--diff", about: "only what changed, with the findings in place" },
    { flags: "--raw", about: "only its files as they are, with what cannot be seen made visible" },
    { flags: "--findings", about: "only the findings, and why they matter" },
    { flags: "--list", about: "only list what waits, also at a terminal" },
    { flags: "--approve", about: "let exactly the bytes of --digest be used" },
    { flags: "--reject", about: "do not let these bytes be used" },
    { flags: "--disable", about: "switch the skill off, whatever was approved before" },
    {
      flags: "--override <finding>",
      about: "lift a blocking finding, with --reason; can be repeated",
      repeatable: true,
    },
    { flags: "--digest <sha256>", about: "the digest that was shown, or at least its first 12 digits" },
    { flags: "--rollback", about: "the digest is that of an older revision" },
    { flags: "--no-grants", about: "approve without pre-approving the tools it asks for" },
    { flags: "--reason <text>", about: "why a finding is overridden" },
    { flags: "--note <text>", about: "kept with the decision" },
    {
      flags: "--approve-clean",
      about: "approve everything that waits and is clean: all of it analysed, no finding above low",
    },
    { flags: "--source <id>", about: "only what comes from this source" },
    { flags: "--limit <count>", about: "how many to list; 100 without it" },
    { flags: "--after <entry>", about: "list what comes after this entry" },
    ...storeOptions,
  ],
  examples: [
    "skillward review",
    "skillward review house:brand-voice",
    "skillward review house:brand-voice --diff",
    "skillward review house:brand-voice --approve --digest 9f86d081884c",
    'skillward review house:brand-voice --reject --note "asks for a password"',
    "skillward review --approve-clean --source house",
  ],
  load: () => import("../commands/review/review.ts"),
};
