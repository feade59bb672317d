import type { Command, CommandGroup } from "../features/command/command.ts";
import type { OpenScreen } from "../features/review/cli.ts";

/** A command as the help of the whole program shows it. What it takes and does is loaded when somebody names it. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments as help writes them; undefined for a group, which takes none. */
  readonly takes?: string;
  readonly about: string;
  readonly load: () => Promise<Command | CommandGroup>;
}

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    takes: "",
    about: "serve the gateway for OpenAI and Anthropic clients, and the API, on one port",
    load: async () => (await import("./rows.ts")).serve,
  },
  {
    name: "mcp",
    takes: "",
    about: "serve approved skills to one host of MCP over standard input and output",
    load: async () => (await import("./rows.ts")).mcp,
  },
  {
    name: "chat",
    takes: "",
    about: "work with an agent in this folder, with the skills of it; --print for one answer",
    load: async () => (await import("./rows.ts")).chat,
  },
  {
    name: "validate",
    takes: "<path...>",
    about: "check skills and say what is wrong, with file and line",
    load: async () => (await import("../features/bundles/cli.ts")).validate,
  },
  {
    name: "scan",
    takes: "<path...>",
    about: "look for what is hostile in skills, their scripts and their references; exit 1 with findings",
    load: async () => (await import("../features/bundles/cli.ts")).scan,
  },
  {
    name: "schema",
    takes: "",
    about: "write or check the JSON Schemas of SKILL.md and scope.yaml",
    load: async () => (await import("../features/bundles/cli.ts")).schema,
  },
  {
    name: "new",
    takes: "<name>",
    about: "begin a skill: a SKILL.md to fill in, checked at once",
    load: async () => (await import("../features/bundles/cli.ts")).newSkill,
  },
  {
    name: "add",
    takes: "<skill>",
    about: "put a skill of a repository into this workspace, proven and locked",
    load: async () => (await import("../features/workspace/cli.ts")).add,
  },
  {
    name: "update",
    takes: "[folder...]",
    about: "bring locked skills up to date, after showing what changes",
    load: async () => (await import("../features/workspace/cli.ts")).update,
  },
  {
    name: "verify",
    takes: "",
    about: "check that the skills of this workspace are what skillward.lock says; asks nobody",
    load: async () => (await import("../features/workspace/cli.ts")).verify,
  },
  {
    name: "install",
    takes: "",
    about: "fetch what skillward.lock says and is missing here",
    load: async () => (await import("../features/workspace/cli.ts")).install,
  },
  {
    name: "source",
    about: "where skills come from: add, list, show, set, sync, remove",
    load: async () => (await import("../features/sources/cli.ts")).source,
  },
  {
    name: "review",
    takes: "[skill]",
    about: "at a terminal, the review screen; what waits; one skill as it is put before a person; the decision",
    load: async () => (await import("../features/review/cli.ts")).review(openScreen),
  },
  {
    name: "skill",
    about: "the skills of the registry: list, show, diff, revisions, publish, unpublish, published",
    load: loadSkill,
  },
  {
    name: "block",
    about: "what may not be used, whatever was approved: add, list, lift",
    load: async () => (await import("../features/review/cli.ts")).block,
  },
  {
    name: "provider",
    about: "where models answer: add, list, show, set, secret, remove",
    load: async () => (await import("../features/configurations/cli-provider.ts")).provider,
  },
  {
    name: "config",
    about: "how an application talks to a model, and with which skills: add, list, show, set, remove",
    load: async () => (await import("../features/configurations/cli.ts")).config,
  },
  {
    name: "task",
    about: "prompts kept for repeated use: add, list, show, set, remove",
    load: async () => (await import("../features/configurations/cli-task.ts")).task,
  },
  {
    name: "attach",
    takes: "<target> <skill>",
    about: "put a skill on a configuration or a task; only one that is approved",
    load: async () => (await import("../features/configurations/cli.ts")).attach,
  },
  {
    name: "detach",
    takes: "<target> <skill>",
    about: "take a skill off a configuration or a task, whatever state it is in",
    load: async () => (await import("../features/configurations/cli.ts")).detach,
  },
  {
    name: "trigger",
    about: "phrases by which skills are found, set by an admin: add, list, remove",
    load: async () => (await import("../features/routing/cli.ts")).trigger,
  },
  {
    name: "route",
    takes: "<query>",
    about: "say which skill fits a request, and why; exit 1 when none does",
    load: async () => (await import("../features/routing/cli.ts")).route,
  },
  {
    name: "compose",
    takes: "",
    about:
      "print the exact text that skills add to a prompt; what is in it and what is not on standard error, exit 1 when one was dropped",
    load: async () => (await import("../features/requests/cli.ts")).compose,
  },
  {
    name: "run",
    takes: "<task> [input]",
    about: "run a task: its prompt with its skills goes to the model, the answer is printed",
    load: async () => (await import("../features/requests/cli.ts")).run,
  },
  {
    name: "scope",
    about: "what an agent may do while it holds skills: compose, check, explain",
    load: async () => (await import("../features/scopes/cli.ts")).scope,
  },
  {
    name: "eval",
    about: "how well something works, measured: scan, routing, skills",
    load: async () => (await import("../features/evaluation/cli.ts")).evaluation,
  },
  {
    name: "export",
    takes: "",
    about: "write approved skills into an agent's own folder, with skillward.lock; all of them or none",
    load: async () => (await import("../features/publishing/cli.ts")).exportSkills,
  },
  {
    name: "audit",
    about: "what happened, and whether it still says so: list, verify, export, where, replay, expire",
    load: async () => (await import("../features/audit/cli.ts")).audit,
  },
  {
    name: "user",
    about: "people who sign in: add, list, role, reset, disable, enable, remove",
    load: async () => (await import("../features/people/cli.ts")).user,
  },
  {
    name: "key",
    about: "API keys: add, list, revoke",
    load: async () => (await import("../features/people/cli.ts")).key,
  },
  {
    name: "keys",
    about: "the key file that signs decisions and locks secrets (API keys are `skillward key`): show, rotate",
    load: async () => (await import("../features/health/cli.ts")).keys,
  },
  {
    name: "backup",
    takes: "",
    about: "copy the store and its checkpoint into a new folder, while nodes are running",
    load: async () => (await import("../features/health/cli.ts")).backup,
  },
  {
    name: "doctor",
    takes: "",
    about:
      "look at everything Skillward stands on here and say what to do; changes nothing, exit 1 when there is something",
    load: async () => (await import("../features/health/cli.ts")).doctor,
  },
  {
    name: "completion",
    takes: "<shell>",
    about: "print a completion script for a shell",
    load: async () => (await import("./rows.ts")).completion,
  },
];

/** All that stand on the table, with everything that can be typed after them. */
export function loadCommands(): Promise<readonly (Command | CommandGroup)[]> {
  return Promise.all(commands.map(({ load }) => load()));
}

/** The screen is of a terminal, which no feature knows of. */
const openScreen: OpenScreen = async (call, output) =>
  (await import("./review-screen.ts")).openReviewScreen(call, output);

/** What publishing does to one skill is typed as a command of skills; publishing stands on them, not they on it. */
async function loadSkill(): Promise<CommandGroup> {
  const [{ skill }, { publishing }] = await Promise.all([
    import("../features/skills/cli.ts"),
    import("../features/publishing/cli.ts"),
  ]);
  return { ...skill, commands: [...skill.commands, ...publishing] };
}
