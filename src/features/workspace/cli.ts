import { type Command, json, lazily } from "../command/command.ts";

const dir = {
  flags: "--dir <folder>",
  about: "the workspace; else the nearest folder upward with skillward.lock or .git, else this one",
};

const accept = {
  flags: "--accept <code>",
  about: "go on in spite of findings of this code; repeat it for more",
  repeatable: true,
};

const yes = { flags: "--yes", about: "do not ask" };

const fetching = [
  { flags: "--token-env <name>", about: "the variable that holds a token for private repositories" },
  { flags: "--hosts <name>", about: "the GitHub of your configuration that owner/repo means and the token is for" },
  dir,
  json,
];

export const add: Command = {
  name: "add",
  about: "put a skill of a repository into this workspace, proven and locked",
  arguments: [{ form: "<skill>", about: "owner/repo, owner/repo/path, owner/repo/path@ref or an address" }],
  options: [
    { flags: "--ref <ref>", about: "the branch, tag (heads/…, tags/…) or commit (40 digits)" },
    accept,
    yes,
    ...fetching,
  ],
  examples: [
    "skillward add acme/skills/skills/pdf",
    "skillward add acme/skills/skills/pdf@tags/v1.2.0 --yes",
    "skillward add https://github.com/acme/skills/tree/main/skills/pdf",
  ],
  run: lazily(() => import("./commands/add.ts")),
};

export const update: Command = {
  name: "update",
  about: "bring locked skills up to date, after showing what changes",
  arguments: [{ form: "[folder...]", about: "their folders; all of them without any" }],
  options: [accept, { flags: "--force", about: "also over what was changed here" }, yes, ...fetching],
  examples: ["skillward update", "skillward update pdf", "skillward update pdf --accept pin.moved"],
  run: lazily(() => import("./commands/update.ts")),
};

export const verify: Command = {
  name: "verify",
  about: "check that the skills of this workspace are what skillward.lock says; asks nobody",
  arguments: [],
  options: [dir, json],
  examples: ["skillward verify", "skillward verify --dir packages/site --json"],
  run: lazily(() => import("./commands/verify.ts")),
};

export const install: Command = {
  name: "install",
  about: "fetch what skillward.lock says and is missing here",
  arguments: [],
  options: [{ flags: "--frozen", about: "also put back what was changed here" }, accept, ...fetching],
  examples: ["skillward install", "skillward install --frozen"],
  run: lazily(() => import("./commands/install.ts")),
};
