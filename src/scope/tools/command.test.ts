import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCommand } from "./command.ts";

const simple: [string, string[]][] = [
  ["git status", ["git", "status"]],
  ["  git   status  ", ["git", "status"]],
  ["git log --format=%h -n 5", ["git", "log", "--format=%h", "-n", "5"]],
  ["git commit -m 'two words'", ["git", "commit", "-m", "two words"]],
  ['git commit -m "two words"', ["git", "commit", "-m", "two words"]],
  [`git commit -m "it's"`, ["git", "commit", "-m", "it's"]],
  [`git commit -m 'say "so"'`, ["git", "commit", "-m", 'say "so"']],
  ["git commit -m ''", ["git", "commit", "-m", ""]],
  ['git commit -m ""', ["git", "commit", "-m", ""]],
  [`g"i"'t' st""atus`, ["git", "status"]],
  [`echo a'b'"c"d`, ["echo", "abcd"]],
  [
    "echo '$HOME `id` \\ ! * ? [a] {b,c} ~ # ; | & < > ( )'",
    ["echo", "$HOME `id` \\ ! * ? [a] {b,c} ~ # ; | & < > ( )"],
  ],
  [`echo "* ? [a] {b,c} ~ # ; | & < > ( ) ^ ="`, ["echo", "* ? [a] {b,c} ~ # ; | & < > ( ) ^ ="]],
  ["awk '{print $1}' notes.txt", ["awk", "{print $1}", "notes.txt"]],
  ["git add -- a.ts", ["git", "add", "--", "a.ts"]],
  ["make CFLAGS=-O2", ["make", "CFLAGS=-O2"]],
  ["./scripts/run.sh a,b a:b a@b a+b 100%", ["./scripts/run.sh", "a,b", "a:b", "a@b", "a+b", "100%"]],
  ["/usr/bin/git status", ["/usr/bin/git", "status"]],
  ["git commit -m été", ["git", "commit", "-m", "été"]],
  ["g++ main.cc", ["g++", "main.cc"]],
  ["env git", ["env", "git"]],
  ["npm run test:unit", ["npm", "run", "test:unit"]],
  ["git diff HEAD~1 HEAD~ a~b", ["git", "diff", "HEAD~1", "HEAD~", "a~b"]],
  ["git show HEAD^ HEAD^^ a^b", ["git", "show", "HEAD^", "HEAD^^", "a^b"]],
  ["git diff HEAD^..HEAD~2", ["git", "diff", "HEAD^..HEAD~2"]],
  ["git commit -m fix-#12", ["git", "commit", "-m", "fix-#12"]],
  ['git commit -m "wow!" "!! !a"', ["git", "commit", "-m", "wow!", "!! !a"]],
  ["git stash show stash@{0}", ["git", "stash", "show", "stash@{0}"]],
  ["git log @{u}..HEAD a@{1.day}^", ["git", "log", "@{u}..HEAD", "a@{1.day}^"]],
  ["git commit -m \"♻️ refactor\" '👩🏽‍💻 1️⃣'", ["git", "commit", "-m", "♻️ refactor", "👩🏽‍💻 1️⃣"]],
  ['git commit -m "修正\u3000完了"', ["git", "commit", "-m", "修正\u3000完了"]],
];

const noSimpleCommand = [
  // One command and another.
  "git status; rm -rf /",
  "git status;rm -rf /",
  ";git status",
  "git status && rm -rf /",
  "git status || rm -rf /",
  "git status & rm -rf /",
  "git status &",
  "git status | sh",
  "git status |& sh",
  "git status\nrm -rf /",
  "git status\r\nrm -rf /",
  "git status\rrm -rf /",
  "git status\\\nrm",
  "git status\u0085rm",
  "git status\u2028rm",
  "git status\u000brm",
  "git status\u000crm",
  "git commit -m 'a\nrm -rf /'",
  'git commit -m "a\nrm"',
  "(git status)",
  "{ git status; }",
  "! git status",
  "git status ;; rm",
  // Substitution and expansion.
  "git$(id)",
  "git $(rm -rf /)",
  "git `rm -rf /`",
  'git commit -m "$(id)"',
  'git commit -m "`id`"',
  'git commit -m "$HOME"',
  'git commit -m "a\\"b"',
  'git commit -m "a\\\\b"',
  'git commit -m "a\\b"',
  'git commit -m "a\\\\" b',
  "git $HOME",
  "git ${HOME}",
  "git $((1+1))",
  "git $'a'",
  'git $"a"',
  "git commit -m it\\'s",
  "git\\ status",
  "gi\\t status",
  "git <(id)",
  "git >(id)",
  "git =(id)",
  "git =ls",
  "=git status",
  "git !!",
  "git !-1",
  "git ^a^b",
  "git add *",
  "git add *.ts",
  "git add a?.ts",
  "git add [ab].ts",
  "git add {a,b}.ts",
  "git add {1..9}",
  "git add ~",
  "git add ~root/a",
  "git add a=~/b",
  "git add a:~/b",
  "git add --x=~",
  "git add ''~",
  'git add "a"~',
  "git add ''#a",
  "git log ^main",
  "git log a@{",
  "git log a@{}",
  "git log a@{0,1}",
  "git log a@{0..3}",
  "git log a@{..}",
  "git log a@{2 days ago}",
  "git log a@{$x}",
  "git log a@{{u}}",
  "git log a@{'u'}",
  "git log a{0}",
  "git log @''{u}",
  "git add @(a|b)",
  "git status # and so on",
  "#git status",
  // Redirection.
  "git log > /etc/passwd",
  "git log >> a",
  "git log >| a",
  "git log &> a",
  "git log 2>&1",
  "git log 2>a",
  "git apply < a",
  "git apply << END",
  "git apply <<< a",
  "git log <> a",
  // Assignment.
  "A=1 git status",
  "GIT_SSH_COMMAND=sh git fetch",
  "A= git status",
  "A+=1 git status",
  "A[0]=1 git status",
  "'A'=1 git status",
  "A=1",
  // Not a program.
  "",
  " ",
  "''",
  '"" git',
  "-c git",
  "--help",
  "%1",
  "+x",
  "@git",
  ",git",
  "'git status'",
  "'git;id'",
  "gït status",
  "ɡit status",
  "git:*",
  // Words of the shell.
  "if true",
  "while true",
  "for a in b",
  "until true",
  "case a in",
  "function f",
  "select a",
  "time git status",
  "coproc git",
  "do git",
  "then git",
  ". ./a",
  ": git",
  "source a",
  "eval git",
  "exec git",
  "command git",
  "builtin cd",
  "noglob git",
  "nocorrect git",
  "alias git=sh",
  "cd /",
  "pushd /",
  "export A=1",
  "set -e",
  "unset A",
  "trap id EXIT",
  "'eval' git",
  "ev''al git",
  "e'v'al id",
  "read A",
  "declare A=1",
  "exit",
  "return",
  "umask 0",
  // Quotes that do not end, and characters that are not seen.
  "git 'a",
  'git "a',
  "git a'",
  `git "a'`,
  "git\tstatus",
  "git\u00a0status",
  "git\u3000status",
  "git\u2003status",
  "git '\u00a0'",
  "git st\u0000atus",
  "git st\u001batus",
  "git st\u007fatus",
  "git st\u200batus",
  "git st\u202eatus",
  "git st\u{e0041}atus",
  "git \ud800",
  "git \ufeffstatus",
  "git ♻️",
  "git 'a\ufe0f'",
  "git '♻\ufe0f\ufe0f'",
  "git 'a\u200db'",
  "git '♻\u200d'",
  "git '♻''\ufe0f'",
  "git '🏴\u{e0067}\u{e007f}'",
];

describe("SC-7: a simple command of literal words", () => {
  test.each(simple)("%j is read", (text, words) => {
    expect(readCommand(text)).toEqual(words);
  });

  test.each(noSimpleCommand)("T33: %j is none", (text) => {
    expect(readCommand(text)).toBeTypeOf("string");
  });

  test("every special character is refused outside quotes, wherever it is special", () => {
    for (const character of "|&;<>(){}$`\\*?[]~#!^") {
      const inside = [`git a${character}b`, `git a${character}`];
      const start = [`git ${character}`, `git 'a'${character}`, `${character}git`, `git${character}`];
      for (const text of "~#^".includes(character) ? start : [...start, ...inside])
        expect([text, typeof readCommand(text)]).toEqual([text, "string"]);
      expect(readCommand(`git 'a${character}b'`)).toEqual(["git", `a${character}b`]);
    }
  });

  test("T26: the length and the number of words are bounded", () => {
    expect(readCommand(`git ${"a".repeat(8188)}`)).toHaveLength(2);
    expect(readCommand(`git ${"a".repeat(8189)}`)).toBeTypeOf("string");
    expect(readCommand(`git ${"é".repeat(4095)}`)).toBeTypeOf("string");
    expect(readCommand(`git${" a".repeat(255)}`)).toHaveLength(256);
    expect(readCommand(`git${" a".repeat(256)}`)).toBeTypeOf("string");
  });

  test("why it is none is said without repeating what cannot be seen", () => {
    expect(readCommand("git status; id")).toBe("`;` outside quotes is not part of a simple command");
    expect(readCommand("git add *")).toBe(
      "`*` outside quotes is not part of a simple command: put it in single quotes",
    );
    expect(readCommand('git commit -m "$5"')).toBe("`$` in double quotes is not literal: put it in single quotes");
    expect(readCommand("git \u001b[2J")).toBe("the command has line breaks or characters that are not seen");
  });

  test("words in single quotes are read back, whatever is in them", () => {
    const word = fc.string({ unit: fc.constantFrom(...Array.from('abZ9 -=;|&$`\\"!*?[]{}()<>~#^%é')) });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const text = ["git", ...words.map((one) => `'${one}'`)].join(" ");
        expect(readCommand(text)).toEqual(["git", ...words]);
      }),
    );
  });
});

/** What a shell makes of the words of each text, all in one run: nothing is started by it but `printf`. */
function readByShell(shell: string, texts: readonly string[]): string[][] {
  // As arguments of a function the words are only looked at.
  const script = ["w() { printf '%s\\0' \"$@\"; printf '\\036'; }", ...texts.map((text) => `w ${text}`)].join("\n");
  const env = { LC_ALL: "C.UTF-8", PATH: "/nowhere" };
  const { stdout } = spawnSync(`/bin/${shell}`, ["-s"], { input: script, encoding: "utf8", cwd: tmpdir(), env });
  return stdout
    .split("\u001e")
    .slice(0, -1)
    .map((line) => line.split("\0").slice(0, -1));
}

const hasBash = spawnSync("/bin/bash", ["-c", "exit 0"]).status === 0;
const shells = hasBash ? ["sh", "bash"] : ["sh"];

describe("SC-7: what is read means the same to a shell", () => {
  const pieces = [
    ...Array.from("abAZ09 _-./,:@%+='\""),
    ...Array.from("|&;<>(){}$`\\*?[]~#!^"),
    ...Array.from("\t\n\r\u00a0é"),
    ...Array.from("''\"\"    "),
    "git",
    "$(",
    "${",
    "&&",
    "<<",
    "A=1",
    "--x=",
    "eval",
  ];
  // By chance a hostile text is hardly ever a simple one: half of the texts are of what may stand in one.
  const mild = fc.constantFrom(
    ..."abZ09 _-./,:@%+= é'\"".split(""),
    "''",
    '""',
    "'$(id)'",
    "'a;b'",
    '"*"',
    '"a\\\\b"',
    '"$PWD"',
    "--x=",
    " ",
    "~",
    "a~1",
    "a^",
    "a#",
    '"!"',
    "@{u}",
    "@{",
    "}",
    '"❤️\u3000"',
  );
  const hostile = fc.constantFrom(...pieces);
  const tail = fc.oneof(fc.string({ unit: mild, maxLength: 24 }), fc.string({ unit: hostile, maxLength: 12 }));
  const texts = fc.sample(
    fc.oneof(
      tail,
      tail.map((text) => `git ${text}`),
    ),
    { numRuns: 4000, seed: 7 },
  );
  const accepted = [...new Set([...texts, ...simple.map(([text]) => text)])].filter(
    (text) => typeof readCommand(text) !== "string",
  );

  test.each(shells)("T33: %s finds the same words in every text that was accepted", (shell) => {
    expect(accepted.length).toBeGreaterThan(300);
    const found = readByShell(shell, accepted);
    expect(found).toHaveLength(accepted.length);
    for (const [at, text] of accepted.entries()) expect([text, found[at]]).toEqual([text, readCommand(text)]);
  });

  test.runIf(hasBash)("no keyword or builtin of bash is taken for a program, but those that are programs too", () => {
    const { stdout } = spawnSync("/bin/bash", ["-c", "compgen -bk"], { encoding: "utf8" });
    const taken = stdout.split("\n").filter((word) => word !== "" && typeof readCommand(word) !== "string");
    expect(new Set(taken)).toEqual(new Set(["echo", "false", "kill", "printf", "pwd", "test", "true"]));
  });
});
