import { describe, expect, test } from "vitest";
import { fits, forbids, readCall } from "./calls.ts";
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
    expect(readCall({ tool: "read", paths: Array.from({ length: 1025 }, () => "a") }).paths).toBeTypeOf("string");
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
    ["Bash(git -c a.b=c:*)", bash("git -c a.b=c status")],
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
    ["Edit(src/**)", on("Edit", "src/a.ts")],
    ["Edit(src/**)", on("replace", "SRC/A.ts")],
    ["Edit(SRC/**)", on("patch", "src/a.ts")],
    ["Edit(src/**)", on("Edit", "docs/a.md", "src/a.ts")],
    ["Edit(src/**)", on("Edit", "src")],
    ["Edit(caf\u00e9/**)", on("Edit", "cafe\u0301/a")],
    ["Edit(\u1f80\u0301)", on("Edit", "\u1f80\u0301".normalize("NFD"))],
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
    expect(allowed(`Read(${"*a".repeat(120)}b)`, on("read", "a".repeat(255)))).toBe(false);
  });
});
