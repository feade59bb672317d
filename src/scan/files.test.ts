import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFile, unreadKinds } from "./files.ts";

const binary = [0x00, 0x01, 0xfe, 0xff, 0x00, 0x80, 0x02, 0x9f];

function many(length: number, byte: number): readonly number[] {
  return Array.from({ length }, () => byte);
}

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
}

function read(path: string, bytes: Uint8Array) {
  const { text, findings } = readFile({ path, bytes });
  return { text, found: findings.map(({ code, level }) => `${code} ${level}`) };
}

const png = bytesOf("\x89PNG\r\n\x1a\n", binary);
const zip = bytesOf("PK\x03\x04", binary);
const elf = bytesOf("\x7fELF", binary);

describe("T25: what is not text is never clean", () => {
  it.each([
    ["a.png", png, "unread.media low"],
    ["a.jpg", bytesOf([0xff, 0xd8, 0xff, 0xe0], binary), "unread.media low"],
    ["a.gif", bytesOf("GIF89a", binary), "unread.media low"],
    ["a.webp", bytesOf("RIFF", [1, 0, 0, 0], "WEBP", binary), "unread.media low"],
    ["a.ico", bytesOf([0, 0, 1, 0], binary), "unread.media low"],
    ["a.woff2", bytesOf("wOF2", binary), "unread.media low"],
    ["a.mp4", bytesOf([0, 0, 0, 24], "ftypmp42", binary), "unread.media low"],
    ["a.ico", png, "unread.media low"],
    ["a.pdf", bytesOf("%PDF-1.7\n", binary), "unread.document medium"],
    ["a.docx", zip, "unread.document medium"],
    ["a.doc", bytesOf([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], binary), "unread.document medium"],
    ["a.zip", zip, "unread.archive high"],
    ["a.whl", zip, "unread.archive high"],
    ["a.tar.gz", gzipSync("a"), "unread.archive high"],
    ["a.tar", bytesOf("name", many(253, 0), "ustar", binary, many(200, 0)), "unread.archive high"],
    ["a.tar", bytesOf("name", many(253, 0), "ustar", many(250, 0), "text\n".repeat(2000)), "unread.archive high"],
    ["a.7z", bytesOf([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], binary), "unread.archive high"],
    ["tool", elf, "unread.program high"],
    ["a.exe", bytesOf("MZ", binary), "unread.program high"],
    ["a.dylib", bytesOf([0xcf, 0xfa, 0xed, 0xfe], binary), "unread.program high"],
    ["a.cpython-312.pyc", bytesOf([0xcb, 0x0d, 0x0d, 0x0a], binary), "unread.program high"],
    ["a.class", bytesOf([0xca, 0xfe, 0xba, 0xbe], binary), "unread.program high"],
    ["a.wasm", bytesOf("\0asm", binary), "unread.program high"],
    ["a.node", elf, "unread.program high"],
    ["a.bin", bytesOf([0x93, 0x81], many(64, 0x90)), "unread.binary high"],
    ["a.py", bytesOf([0x93, 0x81], many(64, 0x90)), "unread.binary high"],
  ])("%s", (path, bytes, found) => {
    expect(read(path, bytes)).toEqual({ text: null, found: [found] });
  });
});

describe("T25: what is not what its name says", () => {
  it.each([
    ["logo.png", zip],
    ["notes.txt", elf],
    ["run.sh", elf],
    ["readme.md", png],
    ["font.woff2", gzipSync("a")],
    ["report.pdf", bytesOf("MZ", binary)],
    [
      "logo.png",
      bytesOf("\x89PNG\r\n\x1a\n", binary, "PK\x03\x04", binary, "PK\x01\x02", binary, "PK\x05\x06", binary),
    ],
  ])("%s is not read", (path, bytes) => {
    expect(read(path, bytes)).toEqual({ text: null, found: ["unread.disguised critical"] });
  });

  it("a script under the name of a picture is read all the same", () => {
    expect(read("logo.png", bytesOf("#!/bin/sh\nls\n"))).toEqual({
      text: "#!/bin/sh\nls\n",
      found: ["unread.disguised critical"],
    });
  });

  it("what stands for a large file in Git is no disguise", () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    expect(read("logo.png", bytesOf(pointer))).toEqual({ text: pointer, found: [] });
  });
});

describe("T25: text", () => {
  it.each(["", "BM25 ranks texts", "MZ is a prefix", "GIF8 and PK\u0003", "Gr\u00fc\u00dfe \u2713", "a\0b"])(
    "%j is read as it is",
    (text) => {
      expect(read("SKILL.md", new TextEncoder().encode(text))).toEqual({ text, found: [] });
      expect(read("a.sh", new TextEncoder().encode(`\ufeff${text}`))).toEqual({ text, found: [] });
    },
  );

  it("an empty file is text, whatever its name", () => {
    expect(read("a.png", new Uint8Array())).toEqual({ text: "", found: [] });
  });

  it("in another encoding is read, and said", () => {
    const text = "Run the script, Gr\u00fc\u00dfe";
    for (const bytes of [
      Buffer.from(text, "utf16le"),
      Buffer.from(`\ufeff${text}`, "utf16le"),
      Buffer.from(text, "utf16le").swap16(),
      Buffer.from(text, "latin1"),
    ])
      expect(read("a.md", bytes)).toEqual({ text, found: ["unread.encoding medium"] });
  });

  it("is read for a megabyte, also when that ends inside a character", () => {
    const bytes = new TextEncoder().encode(`a${"\u00fc".repeat(600 * 1024)}`);
    const { text, found } = read("a.py", bytes);
    expect(text?.length).toBe(512 * 1024);
    expect(found).toEqual(["unread.rest high"]);
    expect(read("a.md", bytes).found).toEqual(["unread.rest medium"]);
  });
});

it("T25: any bytes under any name are read or have a finding that is explained", () => {
  const explained = new Set(unreadKinds.map(({ id }) => id));
  const name = fc.constantFrom("a.png", "a.md", "a.zip", "a", "a.docx", "a.exe", "a.");
  fc.assert(
    fc.property(name, fc.uint8Array({ maxLength: 400 }), (path, bytes) => {
      const { text, findings } = readFile({ path, bytes });
      expect(text !== null || findings.length > 0).toBe(true);
      for (const { code } of findings) expect(explained).toContain(code);
    }),
  );
});
