import { describe, expect, test } from "vitest";
import { isServerAlone, parseForbidden, parsePattern, whyUnknown } from "./patterns.ts";

function command(words: string[], isOpen: boolean) {
  return { kind: "command", words, isOpen };
}

function path(...segments: string[]) {
  return { kind: "path", segments };
}

const both = ["replace", "patch"];

describe("SC-7: entries that allow", () => {
  test.each([
    ["Read", ["read"], null],
    ["edit", both, null],
    ["mcp__server__tool", ["mcp__server__tool"], null],
    ["Bash", ["shell"], null],
    ["Bash(git:*)", ["shell"], command(["git"], true)],
    ["shell(git:*)", ["shell"], command(["git"], true)],
    ["Bash(git *)", ["shell"], command(["git"], true)],
    ["Bash(git add *)", ["shell"], command(["git", "add"], true)],
    ["Bash(git add:*)", ["shell"], command(["git", "add"], true)],
    ["Bash(git 'two words':*)", ["shell"], command(["git", "two words"], true)],
    ["Bash(npm run test)", ["shell"], command(["npm", "run", "test"], false)],
    ["Bash(npm run test:unit)", ["shell"], command(["npm", "run", "test:unit"], false)],
    ["Bash(npm run test:unit:*)", ["shell"], command(["npm", "run", "test:unit"], true)],
    ["Bash(*)", ["shell"], command([], true)],
    ["Edit(src/**)", both, path("src", "**")],
    ["replace(src/**)", ["replace"], path("src", "**")],
    ["Read(./docs/*.md)", ["read"], path("docs", "*.md")],
    ["Read(a b/c?.ts)", ["read"], path("a b", "c?.ts")],
    ["Write(**)", ["write"], path("**")],
    ["Write(a/**/**/b)", ["write"], path("a", "**", "b")],
    ["Grep(src/./a)", ["search"], path("src", "a")],
    ["Glob(.github/**)", ["list"], path(".github", "**")],
    ["Bash(git -C sub status)", ["shell"], command(["git", "-C", "sub", "status"], false)],
    ["Read(*a*b*c*)", ["read"], path("*a*b*c*")],
    ["Read(?a*b?)", ["read"], path("?a*b?")],
    ["Read(❤️/*)", ["read"], path("❤️", "*")],
  ])("%s", (text, tools, argument) => {
    expect(parsePattern(text)).toEqual({ text, tools, argument });
  });

  test.each([
    "",
    "*",
    "read ",
    "Read, Write",
    "mcp__server__*",
    "mcp__*",
    "Bash()",
    "Bash(",
    "Bash)",
    "Bash(git:*",
    "Bash(git:*) extra",
    "Bash(git:*) ",
    " Bash(git:*)",
    "Bash (git:*)",
    "Bash(:*)",
    "Bash( *)",
    "Bash(git*)",
    "Bash(git :*)",
    "Bash(git:* )",
    "Bash( git:*)",
    "Bash(git:*:*)",
    "Bash(git * status)",
    "Bash(git '*')",
    "Bash(**)",
    "Bash(* *)",
    "Bash(git status; id)",
    "Bash(git && id:*)",
    "Bash(git $(id))",
    "Bash((git))",
    "Bash(git:*)(npm:*)",
    "Bash(A=1 git:*)",
    "Bash(cd:*)",
    "Bash(eval:*)",
    "Bash(~/bin/x)",
    "Bash(git\n:*)",
    "Bash(git\u00a0status)",
    "Bash('git)",
    "bash(git:*)",
    "spawn(a)",
    "load_skill(a)",
    "WebFetch(domain:example.com)",
    "mcp__server__tool(a)",
    "Edit()",
    "Edit(.)",
    "Edit(./)",
    "Edit(src/)",
    "Edit(src//a)",
    "Edit(/etc/**)",
    "Edit(//etc/**)",
    "Edit(~/a)",
    "Edit(~)",
    "Edit(../a)",
    "Edit(src/../../a)",
    "Edit(src/..)",
    "Edit(src/[ab])",
    "Edit(src/{a,b})",
    "Edit(src\\a)",
    "Edit(C:/a)",
    "Edit(!src/**)",
    "Edit(src/**.ts)",
    "Edit(src/a**)",
    "Edit(src/***)",
    "Edit(src/**, docs/**)",
    "Edit( src/**)",
    "Edit(src/** )",
    "Edit(src/\u0000)",
    "Edit(src/\u200b)",
    "Edit(src/a.)",
    "Edit(src/@(a))",
    "Edit(src/*a*b*c*d*)",
    "Edit(src/*?*)",
    `Edit(**/${"a/".repeat(5)}*)`,
    "Edit(src/a\ufe0f)",
    "Еdit(src/**)",
    `Read(${"a".repeat(251)})`,
    `Read(${"é".repeat(130)})`,
  ])("T33: %j is of no known form", (text) => {
    expect(parsePattern(text)).toBeNull();
    expect(whyUnknown(text)).toMatch(/^[^\n]{10,120}$/);
  });

  test.each([
    ["Bash(cd:*)", "`cd` is a word of the shell, not a program"],
    ["Bash(git status; id)", "`;` outside quotes is not part of a simple command"],
    ["Bash(git*)", "in a command `*` stands only at its end, behind a blank or `:`"],
    ["Bash( git)", "the command has blanks around it"],
    ["mcp__server__*", "the tools of a server are named one by one; a star only forbids"],
    ["Read, Write", "this is no name of a tool"],
    ["Re ad(a)", "what stands before the parenthesis is no name of a tool"],
    ["WebFetch(domain:example.com)", "only the shell and the tools of files are known with an argument"],
    ["Edit(/etc/**)", "a path starts in the workspace, without `/` or `~`"],
    ["Edit(src/{a,b})", "in a path only `*`, `?` and `**` stand for something else"],
    ["Edit(src/)", "a path ends without `/`; `/**` is what is in a folder"],
    ["Edit(a/../b)", "a path has no `..`"],
    ["Edit(src/**.ts)", "`**` stands alone between `/`"],
    ["Edit(*a*b*c*d*)", "a name has at most 4 `*`"],
    ["Read", ""],
    ["Bash(git:*)", ""],
  ])("why %s is not known: %s", (text, why) => {
    expect(whyUnknown(text)).toBe(why);
  });

  test("a server alone is told from a tool", () => {
    for (const text of ["mcp__srv", "mcp__srv_", "mcp__srv__", "mcp__", "mcp__a_b-c.d"])
      expect([text, isServerAlone(text)]).toEqual([text, true]);
    for (const text of ["mcp__srv__tool", "mcp__srv__*", "mcp_srv", "read", "mcp__srv(a)", "mcp__s v", ""])
      expect([text, isServerAlone(text)]).toEqual([text, false]);
  });

  test("segments of entries cannot be changed", () => {
    for (const text of ["Read(docs/**)", "Read(**/**/A?.md)"]) {
      const argument = parsePattern(text)?.argument;
      expect(argument?.kind === "path" && Object.isFrozen(argument.segments)).toBe(true);
      const { reach } = parseForbidden(text);
      expect(reach.kind === "paths" && Object.isFrozen(reach.segments)).toBe(true);
    }
  });

  test("SC-7: one that allows lets a tool of exactly its name through, and none of the server's", () => {
    expect(parsePattern("mcp__srv")).toEqual({ text: "mcp__srv", tools: ["mcp__srv"], argument: null });
  });

  test("T26: an entry of 256 bytes is read, a longer one is not looked at", () => {
    expect(parsePattern(`Read(${"a".repeat(250)})`)).not.toBeNull();
    expect(parsePattern(`Read(${"a/".repeat(1_000_000)}a)`)).toBeNull();
    expect(parsePattern("(".repeat(1_000_000))).toBeNull();
  });
});

describe("SC-7: entries that forbid", () => {
  test.each([
    ["Write", ["write"]],
    ["edit", both],
    ["patch", ["patch"]],
    ["mcp__server__tool", ["mcp__server__tool"]],
    // Of the shell the whole of it.
    ["Bash", ["shell"]],
    ["Bash(rm:*)", ["shell"]],
    ["Bash(echo $(id))", ["shell"]],
    ["Bash()", ["shell"]],
    ["Bash(git*)", ["shell"]],
    // What the argument means is not known.
    ["spawn(a)", ["spawn"]],
    ["WebFetch(domain:example.com)", ["WebFetch"]],
    ["mcp__server__tool(a)", ["mcp__server__tool"]],
    ["Edit(/etc/**)", both],
    ["Edit(~/.ssh)", both],
    ["Edit(../a)", both],
    ["Edit(src/{a,b})", both],
    ["Edit(src/[ab])", both],
    ["Edit()", both],
    ["Edit(.)", both],
    ["Edit(src/**.ts)", both],
    ["Edit(src/*a*b*c*d*)", both],
    [`Edit(**/${"a/".repeat(5)}b)`, both],
    ["mcp__server__tool_", ["mcp__server__tool_"]],
    ["mcp__server___x", ["mcp__server___x"]],
  ])("%s forbids whole tools", (text, tools) => {
    expect(parseForbidden(text)).toEqual({ text, reach: { kind: "tools", tools } });
  });

  test.each([
    ["Edit(src/**)", both, ["src", "**"]],
    ["Read(./Secrets/Key?.PEM)", ["read"], ["secrets", "key*.pem"]],
    ["Read(secrets/)", ["read"], ["secrets"]],
    ["Read(a/??/**/b?*?c)", ["read"], ["a", "*", "**", "b*c"]],
    ["Read(❤️/👩‍💻)", ["read"], ["❤", "👩💻"]],
    ["Read(Stra\u00dfe/Cafe\u0301)", ["read"], ["strasse", "cafe\u0301"]],
  ])("%s forbids paths, whatever their case", (text, tools, segments) => {
    expect(parseForbidden(text)).toEqual({ text, reach: { kind: "paths", tools, segments } });
  });

  test.each([
    ["mcp__server__*", "mcp__server__"],
    ["mcp__server__get_*", "mcp__server__get_"],
    ["mcp__*", "mcp__"],
    ["mcp__server", "mcp__server__"],
    ["mcp__my_server", "mcp__my_server__"],
    ["mcp__server(a)", "mcp__server__"],
    ["mcp__server__", "mcp__server__"],
    ["mcp__server_", "mcp__server__"],
    ["mcp__server____", "mcp__server__"],
    ["mcp__", "mcp__"],
    ["mcp____", "mcp__"],
    ["mcp__a_b_c_d_e_f_g_h_i_j_k", "mcp__a_b_c_d_e_f_g_h_i_j_k__"],
    [`mcp__${"s".repeat(123)}`, `mcp__${"s".repeat(123)}__`],
    ["mcp___s", "mcp___s__"],
  ])("%s forbids the tools of a server", (text, prefix) => {
    expect(parseForbidden(text)).toEqual({ text, reach: { kind: "prefix", prefix } });
  });

  test.each([
    "",
    "*",
    " ",
    "read ",
    "Read, Write",
    "Read Write",
    "Bash (rm)",
    "Bash(rm",
    "Bash(rm))",
    "Bash)",
    "Bash(rm:*) Read",
    "Bash(rm), Read(a)",
    "Bash(rm)Read",
    "(rm)",
    "re*",
    "*__delete",
    "mcp__server__*x",
    "ｒｅａｄ",
    "read\u200b",
    "a".repeat(129),
    `Edit(${"a".repeat(300)})`,
  ])("T33: %j cannot be read: it forbids everything", (text) => {
    expect(parseForbidden(text)).toEqual({ text, reach: { kind: "everything" } });
  });
});
