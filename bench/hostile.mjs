/** Files that are made to cost a reader time or memory. Each is a whole SKILL.md. */
export function hostileFiles() {
  return [
    header("alias bomb, 9 levels of 9", aliasBomb(9, 9)),
    header("aliases of one anchor, 5,000", `a: &a x\nb: [${"*a, ".repeat(5000)}*a]\n`),
    header("anchor within itself", "a: &a [*a]\n"),
    header("5,000 nested [", `a: ${"[".repeat(5000)}\n`),
    header("5,000 nested [ closed", `a: ${"[".repeat(5000)}${"]".repeat(5000)}\n`),
    header("5,000 nested {", `a: ${"{a: ".repeat(5000)}\n`),
    header("400 explicit keys `? `", `${"? ".repeat(400)}a\n`),
    header("300 levels of block maps", blockNesting(300)),
    header("5,000 `- ` on one line", `a:\n  ${"- ".repeat(5000)}x\n`),
    header("70 KB scalar", `description: ${"word ".repeat(14_000)}\n`),
    header("70 KB double-quoted escapes", `description: "${"\\x41".repeat(17_500)}"\n`),
    header(
      "20,000 keys",
      numbered(20_000, (at) => `k${at}: v`),
    ),
    header(
      "4,000 unknown keys",
      numbered(4000, (at) => `k${at}: v`),
    ),
    header(
      "duplicate keys, 4,000",
      numbered(4000, () => "name: twice"),
    ),
    header("4,000 metadata keys", `metadata:\n${numbered(4000, (at) => `  k${at}: v`)}`),
    header("__proto__ keys", `__proto__: { admin: true }\nconstructor: { prototype: { admin: true } }\n`),
    header("tags", "a: !!js/function 'function () { return 1 }'\nb: !<tag:example.com,2000:x> y\n"),
    header("merge keys", "a: &a { x: 1 }\nb: { <<: *a }\n"),
    header("merge key without an alias", "a: { <<: { x: 1 } }\n"),
    header("1,000 documents", "a: 1\n...\n".repeat(1000)),
    header(
      "repair of 3,000 faulty values",
      numbered(3000, (at) => `k${at}: a: b: 'c'`),
    ),
    header("unclosed quote, 60 KB", `description: "${"word ".repeat(12_000)}\n`),
    header("10,000 tools", `allowed-tools: ${"Read, ".repeat(10_000)}\n`),
    header("60,000 ( in a tool", `allowed-tools: ${"(".repeat(60_000)}\n`),
    header("name of 20,000 ligatures", `name: ${"\uFDFA".repeat(20_000)}\n`),
    header("60 KB of blank lines", "\n".repeat(60_000)),
    { name: "no closing fence, 1 MB", text: "---\n".padEnd(1_000_000, "a: b\n") },
    body("1 MB of line breaks", "x\n".repeat(500_000)),
    body("1 MB of dots", `${".".repeat(255)}x `.repeat(3900)),
    body("1 MB of unclosed commands", " !`a\n".repeat(200_000)),
    body("1 MB in one word", "a".repeat(1_000_000)),
    body(
      "1 MB of script paths",
      numbered(50_000, (at) => `scripts/run-${at}.py`),
    ),
  ];
}

function header(name, yaml) {
  return { name, text: `---\n${yaml}---\n\nText.\n` };
}

function body(name, text) {
  return { name, text: `---\nname: skill\ndescription: A description.\n---\n${text}` };
}

function aliasBomb(levels, width) {
  const lines = [`a0: &a0 [${Array(width).fill("x").join(", ")}]`];
  for (let level = 1; level < levels; level++)
    lines.push(
      `a${level}: &a${level} [${Array(width)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  return `${lines.join("\n")}\n`;
}

function blockNesting(levels) {
  return numbered(levels, (level) => `${" ".repeat(level)}k:`);
}

function numbered(count, lineOf) {
  return `${Array.from({ length: count }, (_, at) => lineOf(at)).join("\n")}\n`;
}
