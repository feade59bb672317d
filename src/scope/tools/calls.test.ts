import { describe, expect, test, vi } from "vitest";
import { fits, forbids, readCall } from "./calls.ts";
import { mostPaths } from "./paths.ts";
import { parseForbidden, parsePattern } from "./patterns.ts";
import type { ToolCall } from "./tools.ts";

function allowed(entry: string, call: ToolCall): boolean {
  const pattern = parsePattern(entry);
  if (pattern === null) throw new Error(`${entry} is of no known form`);
  return fits(pattern, readCall(call));
}

function forbidden(entry: string, call: ToolCall): boolean {
  return forbids(parseForbidden(entry), readCall(call));
}

const bash = (command: string): ToolCall => ({ tool: "Bash", command });
const on = (tool: string, ...paths: string[]): ToolCall => ({ tool, paths });

describe("SC-7: a call is read once", () => {
  test("by canonical names, words and segments", () => {
    expect(readCall({ tool: "Bash", command: "git status" })).toEqual({
      name: "Bash",
      tools: ["shell"],
      words: ["git", "status"],
      paths: null,
      refused: null,
    });
    expect(readCall(on("Edit", "./src//a/./b.ts", "."))).toEqual({
      name: "Edit",
      tools: ["replace", "patch"],
      words: null,
      paths: [["src", "a", "b.ts"], []],
      refused: null,
    });
  });

  test.each([
    "",
    "/etc/passwd",
    "..",
    "../a",
    "src/../a",
    "src/..",
    "~",
    "~/a",
    "~root/a",
    "src\\a",
    "C:/a",
    "c:a",
    "src/a:stream",
    "SECRET~1/a",
    "src/a\u0000",
    "src/a\u200b",
    "src/a\u202eb",
    "src/a\nb",
    "src/a.",
    "src/a ",
    "src./a",
    "src/...",
    "a/".repeat(257),
    "a".repeat(256),
    `${"a".repeat(200)}/`.repeat(30),
  ])("T33: the path %j cannot be judged", (path) => {
    expect(readCall(on("read", "src/a.ts", path)).paths).toBeTypeOf("string");
  });

  test("T26: more paths than can be judged are not", () => {
    const many = (length: number, path: string) => readCall(on("read", ...Array.from({ length }, () => path))).paths;
    expect(many(1024, "a")).toHaveLength(1024);
    expect(mostPaths).toBe(1024);
    expect(many(1025, "a")).toBe("more paths than can be judged");
    // By their length, and by their folders.
    expect(many(1024, "a".repeat(64))).toHaveLength(1024);
    expect(many(1024, "a".repeat(65))).toBeTypeOf("string");
    expect(many(1024, "a/a/a/a")).toHaveLength(1024);
    expect(many(1024, "a/a/a/a/a")).toBeTypeOf("string");
  });
});

describe("SC-7: what an entry lets through", () => {
  test.each([
    ["Read", on("read", "/etc/passwd")],
    ["read", { tool: "Read" }],
    ["edit", on("replace", "a")],
    ["Edit", on("MultiEdit", "a")],
    ["mcp__a__b", { tool: "mcp__a__b" }],
    // The tool itself is not about words.
    ["Bash", bash("git status; rm -rf /")],
    ["Bash", bash("git -c alias.x='!sh' x")],
    ["Bash(git:*)", bash("git")],
    ["Bash(git:*)", bash("git status")],
    ["Bash(git:*)", bash(`g"i"t  status`)],
    ["Bash(git:*)", { tool: "shell", command: "git log -n 5" }],
    ["Bash(git add:*)", bash("git add a.ts")],
    ["Bash(npm run test)", bash("npm  run 'test'")],
    ["Bash(*)", bash("anything at all")],
    ["Bash(env git:*)", bash("env git status")],
    ["Edit(src/**)", on("Edit", "src/a.ts")],
    ["Edit(src/**)", on("patch", "src/a/b/c.ts", "./src/d.ts")],
    ["Edit(src/**/test.ts)", on("edit", "src/test.ts")],
    ["Edit(src/**/test.ts)", on("edit", "src/a/b/test.ts")],
    ["Read(docs/*.md)", on("read", "docs/a.md")],
    ["Read(docs/a?.md)", on("read", "docs/a😀.md")],
    ["Read(docs/*a*b*.md)", on("read", "docs/xaybaab.md")],
    ["Read(**)", on("read", "a")],
    ["Grep(src/**)", on("search", "src")],
    ["Grep(src/**)", on("search", "src/a/b")],
    ["Grep(docs/a.md)", on("search", "docs/a.md")],
    ["LS(**)", on("list", ".")],
    // What an author wrote out is not refused.
    ["Bash(git -c a.b=c:*)", bash("git -c a.b=c status")],
    ["Bash(git -C sub status)", bash("git -C sub status")],
    ["Bash(git -C sub:*)", bash("git -C sub log -p")],
    ["Bash(git bisect run:*)", bash("git bisect run sh")],
    ["Bash(git config a.b c)", bash("git config a.b c")],
    ["Bash(git config:*)", bash("git config --get a.b")],
    ["Bash(git difftool:*)", bash("git difftool HEAD~1")],
    ["Bash(npm --prefix web run test)", bash("npm --prefix web run test")],
    ["Bash(make CC=clang:*)", bash("make CC=clang test")],
    ["Read(docs/*?.md)", on("read", "docs/😀.md")],
    ["Read(docs/?*?)", on("read", "docs/😀a😀")],
    ["Read(docs/*)", on("read", "docs/❤️.md")],
    ["Read(a/**/b/*/c/**/d)", on("read", "a/b/b/x/c/y/d")],
    ["Read(**/a/b)", on("read", "a/a/b")],
  ])("%s fits %j", (entry, call) => {
    expect(allowed(entry, call)).toBe(true);
  });

  test.each([
    ["Read", { tool: "READ" }],
    ["Read", { tool: "read " }],
    ["Read", { tool: "" }],
    ["Read", on("write", "a")],
    ["replace", on("edit", "a")],
    ["patch", on("Edit", "a")],
    ["replace(src/**)", on("Edit", "src/a")],
    ["mcp__a__b", { tool: "mcp__a__c" }],
    ["mcp__a__b", { tool: "mcp__A__b" }],
    ["Bash", { tool: "bash", command: "git" }],
    ["Bash(git:*)", { tool: "Bash" }],
    ["Bash(git:*)", bash("")],
    ["Bash(git:*)", bash("gitk")],
    ["Bash(git:*)", bash("git-shell")],
    ["Bash(git:*)", bash("GIT status")],
    ["Bash(git:*)", bash("env git status")],
    ["Bash(git:*)", bash("./git status")],
    ["Bash(git:*)", bash("/usr/bin/git status")],
    ["Bash(git:*)", bash("sudo git status")],
    ["Bash(git:*)", bash("git status; rm -rf /")],
    ["Bash(git:*)", bash("git$(id)")],
    ["Bash(git:*)", bash("git `id`")],
    ["Bash(git:*)", bash("git status\nid")],
    ["Bash(git:*)", bash("git add *")],
    ["Bash(git:*)", bash("A=1 git status")],
    ["Bash(git:*)", bash("git log > a")],
    ["Bash(git:*)", bash("git -c alias.x='!sh' x")],
    ["Bash(git:*)", bash("git bisect run sh")],
    ["Bash(git -c a.b=c:*)", bash("git -c a.b=d status")],
    ["Bash(git -c a.b=c:*)", bash("git -c a.b=c -c a.b=c status")],
    ["Bash(git -c a.b=c:*)", bash("git -c a.b=c bisect run sh")],
    ["Bash(git -C sub:*)", bash("git -C sub bisect run sh")],
    ["Bash(git -C sub status)", bash("git -C sub status --ext-diff")],
    ["Bash(git -C sub log:*)", bash("git -C sub log --output=x")],
    ["Bash(git bisect:*)", bash("git bisect view sh")],
    ["Bash(git config:*)", bash("git config a.b c")],
    ["Bash(git config a.b:*)", bash("git config a.b c")],
    ["Bash(npm --prefix web run test:*)", bash("npm --prefix web run test --prefix /x")],
    ["Bash(sed -n:*)", bash("sed -n '1e id' a")],
    ["Bash(sed -e:*)", bash("sed -e '1e id' a")],
    ["Bash(*)", bash("git -c alias.x='!sh' x")],
    ["Bash(*)", bash("a; b")],
    ["Bash(*)", bash("")],
    ["Bash(*)", { tool: "Bash" }],
    ["Bash(npm run test)", bash("npm run test --script-shell=sh")],
    ["Bash(npm run test)", bash("npm run test more")],
    ["Bash(npm run test)", bash("npm run")],
    ["Bash(npm run test:*)", bash("npm run tests")],
    ["Edit(src/**)", { tool: "Edit" }],
    ["Edit(src/**)", on("Edit")],
    ["Edit(src/**)", on("Edit", "src")],
    ["Edit(src/**)", on("Edit", "SRC/a.ts")],
    ["Edit(src/**)", on("Edit", "srcs/a.ts")],
    ["Edit(src/**)", on("Edit", "src/a.ts", "b.ts")],
    ["Edit(src/**)", on("Edit", "src/../b.ts")],
    ["Edit(src/**)", on("Edit", "/src/a.ts")],
    ["Edit(src/**)", on("Edit", "src/a.ts", "")],
    ["Edit(**)", on("Edit", ".")],
    ["Read(docs/*.md)", on("read", "docs/a/b.md")],
    ["Read(docs/*.md)", on("read", "docs/a.mdx")],
    ["Read(docs/a?.md)", on("read", "docs/a.md")],
    ["Read(docs)", on("read", "docs/a.md")],
    // A folder that fits can hold what does not.
    ["Grep(src/*)", on("search", "src/a")],
    ["Grep(**/*.ts)", on("search", "src/a.ts")],
    ["LS(src/**)", on("list", ".")],
    ["Grep(docs/a.md)", on("search", "docs")],
    ["Read(docs/??)", on("read", "docs/😀")],
    ["Read(docs/?*?)", on("read", "docs/😀")],
    ["Read(docs/*?a)", on("read", "docs/a")],
    ["Read(docs/ab*ba)", on("read", "docs/aba")],
    ["Read(docs/a*b*b)", on("read", "docs/ab")],
    ["Read(a/**/a)", on("read", "a")],
    ["Read(**/a/**/a/b)", on("read", "a/b")],
    ["Read(docs/*)", on("read", "docs/a\ufe0f.md")],
  ])("T33: %s does not fit %j", (entry, call) => {
    expect(allowed(entry, call)).toBe(false);
  });
});

describe("SC-7: what an entry forbids", () => {
  test.each([
    ["Write", on("write", "a")],
    ["edit", on("patch", "a")],
    ["patch", on("edit", "a")],
    ["Bash(rm:*)", bash("git status")],
    ["*", { tool: "read" }],
    ["Read, Write", { tool: "spawn" }],
    // What is no name is forbidden by anything.
    ["Write", { tool: "read " }],
    ["Write", { tool: "ｒｅａｄ" }],
    ["mcp__a__*", { tool: "" }],
    ["mcp__a__*", { tool: "mcp__a__b" }],
    ["mcp__a", { tool: "mcp__a__b" }],
    ["mcp__a", { tool: "mcp__a" }],
    ["mcp__a__", { tool: "mcp__a__b" }],
    ["mcp__a_", { tool: "mcp__a___b" }],
    ["mcp__", { tool: "mcp__a__b" }],
    ["mcp__a_b_c_d_e_f_g_h_i_j", { tool: "mcp__a_b_c_d_e_f_g_h_i_j__x" }],
    [`mcp__${"s".repeat(61)}`, { tool: `mcp__${"s".repeat(61)}__x` }],
    ["Edit(src/**)", on("Edit", "src/a.ts")],
    ["Edit(src/**)", on("replace", "SRC/A.ts")],
    ["Edit(SRC/**)", on("patch", "src/a.ts")],
    ["Edit(src/**)", on("Edit", "docs/a.md", "src/a.ts")],
    ["Edit(src/**)", on("Edit", "src")],
    ["Edit(caf\u00e9/**)", on("Edit", "cafe\u0301/a")],
    ["Edit(src/e*)", on("Edit", "src/e\u0301tude")],
    ["Edit(\u1f80\u0301)", on("Edit", "\u1f80\u0301".normalize("NFD"))],
    ["Edit(❤/**)", on("Edit", "❤️/a")],
    ["Edit(❤️/**)", on("Edit", "❤/a")],
    ["Edit(a*b*c)", on("Edit", "ABXbxC")],
    ["Edit(**/a/b/**/c)", on("Edit", "a/a/b/x/c/y")],
    ["Edit(stra?e/**)", on("Edit", "STRA\u00dfE/a")],
    ["Edit(secret)", on("Edit", "\u017fecret")],
    // What is not known of the call speaks against it.
    ["Edit(src/**)", { tool: "Edit" }],
    ["Edit(src/**)", on("Edit")],
    ["Edit(src/**)", on("Edit", "/src/a.ts")],
    ["Edit(src/**)", on("Edit", "docs/../src/a.ts")],
    ["Edit(src/**)", on("Edit", "s\u200brc/a.ts")],
    ["Edit(src/**)", on("Edit", "src./a.ts")],
    ["Edit(src/secret/**)", on("Edit", "src/SECRET~1/a")],
    // With a folder goes what is in it.
    ["Read(secrets)", on("read", "secrets/a/b")],
    ["Read(secrets/*)", on("read", "secrets/a/b")],
    ["Read(**/.env)", on("read", "a/b/.env")],
    ["Read(**/.env)", on("read", ".ENV")],
    // A folder above shows it.
    ["Read(src/secret/**)", on("read", "src")],
    ["Read(src/secret/**)", on("read", ".")],
    ["Grep(src/secret/**)", on("search", "src")],
    ["Grep(src/secret/**)", on("search", ".")],
    ["LS(src/secret/**)", on("list", "SRC/secret")],
    ["Grep(src/*/secret)", on("search", "src/a")],
    ["Grep(**/.env)", on("search", "src")],
  ])("%s forbids %j", (entry, call) => {
    expect(forbidden(entry, call)).toBe(true);
  });

  test.each([
    ["Write", on("read", "a")],
    ["Write", { tool: "WRITE" }],
    ["Bash(rm:*)", on("read", "rm")],
    ["mcp__a__*", { tool: "mcp__b__c" }],
    ["mcp__a", { tool: "mcp__ab__c" }],
    ["Edit(src/**)", on("Edit", "docs/a.md")],
    ["Edit(src/**)", on("Edit", "srcs/a.md")],
    ["Edit(src/**)", on("read", "src/a.ts")],
    ["Read(**/.env)", on("read", "src/a.ts")],
    ["Read(src/*/secret)", on("read", "src/a.ts")],
    ["Read(secrets)", on("read", "a/secrets")],
    ["Grep(src/secret/**)", on("search", "docs")],
    ["Grep(src/secret/**)", on("search", "src/open")],
  ])("%s does not forbid %j", (entry, call) => {
    expect(forbidden(entry, call)).toBe(false);
  });

  test("T26: patterns that could lead to many places are done soon", () => {
    const entry = `Read(${"**/*a/".repeat(40)}b)`;
    const path = "a/".repeat(255);
    expect(allowed(entry, on("read", path))).toBe(false);
    expect(forbidden(entry, on("read", path))).toBe(false);
  });

  test("T26: a path is folded once, however many entries it is held against", () => {
    const call = readCall(on("read", "É/a", "É/b"));
    const normalize = vi.spyOn(String.prototype, "normalize");
    for (const name of ["x", "y", "z"])
      forbids({ text: "", reach: { kind: "paths", tools: ["read"], segments: [name] } }, call);
    // Both of them, before and after.
    expect(normalize).toHaveBeenCalledTimes(4);
    normalize.mockRestore();
  });
});
