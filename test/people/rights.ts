import type { CliHome } from "../support/cli-home.ts";

/** Whoever runs a command with a key of that role, and one whose key was revoked. */
export const people = ["admin", "operator", "reader", "reviewer, switched off", "reviewer", "nobody"] as const;

export type Who = (typeof people)[number];

const admins: readonly Who[] = ["admin"];
const operators: readonly Who[] = [...admins, "operator"];
const reviewers: readonly Who[] = [...admins, "reviewer"];
const everybody: readonly Who[] = people.filter((who) => who !== "nobody");

interface Row {
  readonly command: string;
  readonly args: string;
  readonly may: readonly Who[];
  readonly input?: string;
  /** What whoever may comes to, for a command that would not end otherwise. */
  readonly outcome?: string;
}

const row = (may: readonly Who[], command: string, args = "", input?: string): Row => ({
  command,
  args,
  may,
  ...(input === undefined ? {} : { input }),
});

/**
 * RV-12: who may do what. Every command that opens the store is here, with arguments that are right for the home the
 * test makes: whoever may, succeeds. `{name}` stands for something of that home.
 */
export const rights: readonly Row[] = [
  row(admins, "source add", "{fresh}"),
  row(everybody, "source list"),
  row(everybody, "source show", "house"),
  row(admins, "source set", "house --title Ours"),
  row(admins, "source sync", "house"),
  row(admins, "source remove", "house"),

  row(everybody, "review"),
  row(everybody, "review", "drawing"),
  row(reviewers, "review", "drawing --approve --digest {drawing}"),
  row(reviewers, "review", "drawing --reject --digest {drawing}"),
  row(reviewers, "review", "writing --disable"),
  row(reviewers, "review", "--approve-clean"),

  row(everybody, "skill list"),
  row(everybody, "skill show", "writing"),
  row(everybody, "skill diff", "writing"),
  row(everybody, "skill revisions", "writing"),
  row(admins, "skill publish", "writing"),
  row(admins, "skill unpublish", "naming"),
  row(everybody, "skill published"),

  row(admins, "block add", "entry house:writing --reason bad"),
  row(everybody, "block list"),
  row(admins, "block lift", "entry other:sketching --reason good"),

  row(admins, "provider add", "new --protocol echo"),
  row(admins, "provider list"),
  row(admins, "provider show", "main"),
  row(admins, "provider set", "main --origin https://elsewhere.example.com"),
  row(admins, "provider secret", "main", "sk-another-secret\n"),
  row(admins, "provider remove", "unused"),

  row(operators, "config add", "new --provider main --model small"),
  row(everybody, "config list"),
  row(everybody, "config show", "support"),
  row(operators, "config set", "support --placement system"),
  row(operators, "config remove", "unused"),

  row(operators, "task add", "new --configuration support --template {{input}}"),
  row(everybody, "task list"),
  row(everybody, "task show", "summary"),
  row(operators, "task set", "summary --template {{input}}"),
  row(operators, "task remove", "summary"),

  row(operators, "attach", "support writing"),
  row(operators, "detach", "support naming"),

  row(admins, "trigger add", "writing letters"),
  row(everybody, "trigger list"),
  row(admins, "trigger remove", "naming names"),

  row(everybody, "route", "writing"),
  row(everybody, "eval routing", "{golden}"),
  row(everybody, "compose", "--config support"),
  row(everybody, "run", "say hello"),
  row(everybody, "chat", "--config aloud --print hello --no-keep"),
  row(operators, "chat", "--model echo/any --print hello --no-keep"),

  row(everybody, "export", "--to exported --agent claude"),

  row(everybody, "scope compose", "writing"),
  row(everybody, "scope check", "writing naming"),
  row(everybody, "scope explain", "writing --call read"),

  row(everybody, "audit list"),
  row(everybody, "audit verify"),
  row(everybody, "audit export"),
  row(everybody, "audit where", "{drawing}"),
  row(admins, "audit replay"),
  row(admins, "audit expire"),

  row(admins, "user add", "new --role reader --password-stdin", "a password of the new one\n"),
  row(admins, "user list"),
  row(admins, "user role", "ben operator"),
  row(admins, "user reset", "ben --password-stdin", "another password of ben\n"),
  row(admins, "user disable", "ben"),
  row(admins, "user enable", "ben"),
  row(admins, "user remove", "ben"),

  row(admins, "key add", "new --role reader"),
  row(admins, "key list"),
  row(admins, "key revoke", "unused"),

  row(admins, "keys show"),
  row(admins, "keys rotate"),

  row(admins, "backup", "--to copy"),

  row(everybody, "doctor", "--offline"),
  // Whoever may gets as far as its port.
  { ...row(admins, "serve", "--port 70000"), outcome: "usage.invalid, nothing changed" },
  row(everybody, "mcp", "", ""),
];

/** A home in which each of these rows has something to act on; gives the keys of the people and what `{…}` stands for. */
export function furnish(home: CliHome) {
  const run = (line: string, input?: string) => home.json(line.split(" "), input === undefined ? {} : { input });
  const house = home.skills("house", { writing: "Write.", naming: "Name." });
  const other = home.skills("other", { drawing: "Draw.", sketching: "Sketch." });
  const fresh = home.skills("fresh", { singing: "Sing." });
  run(`source add ${house} --id house`);
  run("review --approve-clean");
  run(`source add ${other} --id other`);
  run("block add entry other:sketching --reason bad");
  run("provider add main --protocol openai --origin https://api.example.com --model small --secret-stdin", "sk-main");
  run("provider add unused --protocol echo");
  run("config add support --provider main --model small");
  run("config add unused --provider main --model small");
  run("task add summary --configuration support --template {{input}}");
  run("attach support naming");
  run("trigger add naming names");
  run("skill publish naming");
  run("provider add echo --protocol echo --model any");
  run("config add aloud --provider echo --model any");
  run("task add say --configuration aloud --template {{input}}");
  run("user add anna --role admin --password-stdin", "the password of anna");
  run("user add ben --role reader --password-stdin", "the password of ben");
  run("key add unused --role reader");
  const keyOf = (role: string): string => run(`key add of-${role} --role ${role}`).key;
  const reviewer = keyOf("reviewer");
  const { key: revoked, id } = run("key add revoked --role admin");
  run(`key revoke ${id}`);
  const keys: Readonly<Record<Who, string>> = {
    admin: keyOf("admin"),
    operator: keyOf("operator"),
    reader: keyOf("reader"),
    "reviewer, switched off": reviewer,
    reviewer,
    nobody: String(revoked),
  };
  const golden = home.file("golden.jsonl", '{"query":"writing","expected":"writing"}\n');
  return { keys, things: { fresh, golden, drawing: String(run("skill show drawing").current) } };
}
