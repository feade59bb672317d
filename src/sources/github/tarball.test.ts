import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { readTarball, type TarballOptions } from "./tarball.ts";

const MiB = 2 ** 20;

interface Block {
  readonly name?: string | Buffer;
  readonly prefix?: string;
  readonly type?: string;
  readonly body?: string | Buffer;
  /** The size that the header says, when it lies. */
  readonly size?: number | Buffer;
  readonly magic?: string;
}

/** One entry as tar writes it. */
function entry({ name = "r/f", prefix = "", type = "0", body = "", size, magic = "ustar\0" }: Block): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(512);
  Buffer.from(name).copy(header, 0, 0, 100);
  header.write("0000644\0", 100);
  const said = size ?? bytes.length;
  if (typeof said === "number") header.write(`${said.toString(8).padStart(11, "0")}\0`, 124);
  else said.copy(header, 124);
  header.write(type, 156, "latin1");
  header.write(`${magic}00`, 257, "latin1");
  header.write(prefix, 345);
  return Buffer.concat([summed(header), bytes, Buffer.alloc(-bytes.length & 511)]);
}

function summed(header: Buffer): Buffer {
  header.fill(" ", 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

function pax(records: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    const length = [1, 2, 3, 4, 5].map((digits) => rest + digits).find((all) => String(all).length === all - rest);
    return `${length} ${key}=${value}\n`;
  });
  return entry({ name: "pax", type: "x", body: lines.join("") });
}

const end = Buffer.alloc(1024);

function archive(...blocks: readonly (Block | Buffer)[]): Buffer {
  return Buffer.concat([...blocks.map((block) => (Buffer.isBuffer(block) ? block : entry(block))), end]);
}

function streamOf(bytes: Uint8Array, piece = 1000): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    bytes.subarray(at * piece, (at + 1) * piece),
  );
  return Readable.from(pieces, { objectMode: false });
}

const generous: TarballOptions = { most: { entries: 1000, bytes: 64 * MiB }, wanted: () => MiB };

/** `path=text` of all that was read, and how it ended when it failed. Whatever happened, the source is closed. */
async function outcome(stream: Readable, options: Partial<TarballOptions> = {}): Promise<string[]> {
  const said: string[] = [];
  try {
    for await (const { path, bytes } of readTarball(stream, { ...generous, ...options }))
      said.push(`${path}=${Buffer.from(bytes).toString()}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    said.push(`${error.code}: ${error.message}`);
  }
  expect(stream.destroyed).toBe(true);
  return said;
}

function read(tar: Buffer, options: Partial<TarballOptions> = {}): Promise<string[]> {
  return outcome(streamOf(gzipSync(tar)), options);
}

const damagedHeader = "upstream.invalid: the tarball cannot be used: it has a damaged header; try again later";
const tooEarly = "upstream.invalid: the tarball cannot be used: it ends too early; try again later";
const damaged = "upstream.invalid: the tarball cannot be used: it is damaged, or not gzip; try again later";
const bomb = "upstream.invalid: the tarball cannot be used: a few bytes of it decode to far too many; try again later";

describe("IN-12: a tarball is read as it comes", () => {
  test("files without the folder around them, however the bytes are cut", async () => {
    const tar = gzipSync(
      archive(
        { name: "r/", type: "5" },
        { body: "one" },
        { name: "r/a/empty" },
        { name: "r/b", body: "x".repeat(700) },
      ),
    );
    for (const piece of [1, 7, 512, 100_000])
      expect(await outcome(streamOf(tar, piece))).toEqual(["f=one", "a/empty=", `b=${"x".repeat(700)}`]);
  });

  test("what is not asked for, or larger than it may be, is left out", async () => {
    const sizes = new Map([
      ["a", 3],
      ["b", 3],
      ["empty", 0],
    ]);
    const tar = archive(
      { name: "r/a", body: "abc" },
      { name: "r/b", body: "abcd" },
      { name: "r/empty" },
      { name: "r/c", body: "c" },
    );
    expect(await read(tar, { wanted: (path) => sizes.get(path) })).toEqual(["a=abc", "empty="]);
  });

  test("long names: a prefix, a pax path, and GNU's; each for one entry only", async () => {
    const long = `r/${"d/".repeat(100)}ü`;
    const tar = archive(
      entry({ name: "pax_global_header", type: "g", body: "20 path=r/for-all-x\n" }),
      { prefix: `r/${"p".repeat(100)}`, name: "f", body: "1" },
      { prefix: "not", magic: "ustar ", name: "r/gnu", body: "2" },
      pax({ mtime: "1", path: long, comment: "x" }),
      { name: "short", body: "3" },
      { name: "long", type: "L", body: `${long}2\0` },
      { name: "long", type: "K", body: "target\0" },
      { name: "short", body: "4" },
      { name: "r/last", type: "\0", body: "5" },
    );
    const inside = long.slice(2);
    expect(await read(tar)).toEqual([`${"p".repeat(100)}/f=1`, "gnu=2", `${inside}=3`, `${inside}2=4`, "last=5"]);
  });

  test("a name that comes twice: the first counts, also when it is too large", async () => {
    const tar = archive(
      { body: "first" },
      { body: "second" },
      { name: "r/g", body: "large" },
      { name: "r/g", body: "g" },
    );
    expect(await read(tar)).toEqual(["f=first", "g=large"]);
    expect(await read(tar, { wanted: (path) => (path === "g" ? 1 : MiB) })).toEqual(["f=first"]);
  });

  test("bytes are copies: a small file does not keep the archive in memory", async () => {
    for await (const { bytes } of readTarball(streamOf(gzipSync(archive({ body: "abc" }))), generous))
      expect(bytes.buffer.byteLength).toBe(3);
  });
});

describe("T24: only regular files", () => {
  test("links, hard links, devices, pipes, folders and unknown kinds, with and without bytes", async () => {
    const kinds = "1234567SVDXN".split("").flatMap((type) => [{ type }, { type, body: "not a file" }]);
    expect(await read(archive(...kinds, { body: "file" }))).toEqual(["f=file"]);
  });
});

describe("T23: files with unsafe paths are missing", () => {
  const unsafe = [
    "r/../x",
    "../x",
    "r/a/..",
    "/etc/passwd",
    "r//x",
    "r/./x",
    "r/x/",
    "r/a\\b",
    "C:/x",
    "r/C:x",
    "r/x.",
    "r/x ",
    "r/a\u0001b",
    "r/a\nb",
    "x",
    "",
    "/",
    "..",
  ];

  test("in a header, in a pax path and in a long name; nothing is repaired, and the next name is not taken", async () => {
    let asked = 0;
    const wanted = () => {
      asked++;
      return MiB;
    };
    for (const name of unsafe) {
      const blocks = [
        entry({ name, body: "1" }),
        pax({ path: name }),
        entry({ name: "r/x", body: "2" }),
        entry({ name: "long", type: "L", body: `${name}\0` }),
        entry({ name: "r/x", body: "3" }),
      ];
      expect(await read(archive(...blocks), { wanted })).toEqual([]);
    }
    expect(asked).toBe(0);
  });

  test("NUL and what is not UTF-8", async () => {
    const names = ["r/\xff", "r/\xc3", "r/\xed\xa0\x80"].map((name) => Buffer.from(name, "latin1"));
    const blocks = names.map((name) => entry({ name, body: "x" }));
    expect(await read(archive(...blocks, pax({ path: "r/a\0b" }), { body: "x" }))).toEqual([]);
  });

  test("names that objects have by themselves are names", async () => {
    expect(await read(archive({ name: "r/__proto__", body: "x" }))).toEqual(["__proto__=x"]);
  });
});

describe("T7: damaged and lying archives end, with the source closed", () => {
  const whole = archive({ body: "one" }, { name: "r/g", body: "two" });
  const random = randomBytes(4 * MiB);

  test("cut off anywhere", async () => {
    for (let length = 0; length < whole.length - 512; length += 256)
      expect((await read(whole.subarray(0, length))).at(-1)).toBe(tooEarly);
    const zipped = gzipSync(whole);
    for (let length = 0; length < zipped.length; length += 5)
      expect((await outcome(streamOf(zipped.subarray(0, length)))).at(-1)).toMatch(/^upstream.invalid/);
  });

  test("one byte changed in a header", async () => {
    for (const at of [0, 100, 124, 130, 148, 156, 257, 345, 511]) {
      const changed = Buffer.from(whole);
      changed[1024 + at] = (changed[1024 + at] ?? 0) ^ 1;
      expect(await read(changed)).toEqual(["f=one", damagedHeader]);
    }
  });

  test("not gzip, not tar, and a checksum of gzip that is wrong", async () => {
    expect(await outcome(streamOf(Buffer.from("<html>not found</html>")))).toEqual([damaged]);
    expect(await read(Buffer.from("<html>".repeat(200)))).toEqual([damagedHeader]);
    const zipped = gzipSync(whole);
    zipped[zipped.length - 6] = (zipped[zipped.length - 6] ?? 0) ^ 1;
    expect((await outcome(streamOf(zipped))).at(-1)).toBe(damaged);
  });

  test("rubbish behind the end, in tar and in gzip, is not handed out", async () => {
    const more = Buffer.concat([whole, entry({ name: "r/h", body: "three" }), Buffer.from("rubbish")]);
    expect(await read(more)).toEqual(["f=one", "g=two"]);
    const behind = Buffer.concat([gzipSync(whole), Buffer.from("rubbish".repeat(10_000))]);
    expect(["f=one", "g=two", damaged]).toEqual(expect.arrayContaining(await outcome(streamOf(behind))));
    expect(await outcome(streamOf(Buffer.concat([gzipSync(whole), gzipSync(whole)])))).toEqual(["f=one", "g=two"]);
  });

  test("sizes that lie, are negative, huge, in base 256 or no numbers", async () => {
    const all = { wanted: () => Number.MAX_SAFE_INTEGER };
    expect(await read(archive({ body: "x", size: 5000 }, { name: "r/g" }))).toEqual([tooEarly]);
    expect((await read(archive({ body: "x".repeat(600), size: 3 }))).at(-1)).toBe(damagedHeader);
    expect(await read(archive({ body: "x", size: 0o7777777 }), { ...all, wanted: () => 1 })).toEqual([tooEarly]);
    const fields = ["ff".repeat(12), `80${"00".repeat(10)}03`, `80${"ff".repeat(11)}`, "00".repeat(12)];
    for (const size of fields)
      expect(await read(archive({ size: Buffer.from(size, "hex") }), all)).toEqual([damagedHeader]);
    for (const size of ["-0000000001\0", "0000000000x\0", "1e3        \0", "            "])
      expect(await read(archive({ size: Buffer.from(size) }), all)).toEqual([damagedHeader]);
  });

  test("a wanted size that is beyond all bounds allocates nothing that the archive may not have", async () => {
    const most = { entries: 10, bytes: MiB };
    const tar = archive({ body: "x", size: 0o77777777777 });
    expect(await read(tar, { most, wanted: () => Number.MAX_SAFE_INTEGER })).toEqual([tooMuch(MiB)]);
  });

  test("extended headers that are damaged, hostile or too large", async () => {
    const bodies = ["x", "0 path=r/a\n", "5", "9999999 path=r/a\n", "11 path=r/a", "-1 a=b\n", "2 \n", "1 1 1 1 ", " "];
    for (const body of [...bodies, `${"0".repeat(60_000)}1 `, "1".repeat(60_000)])
      expect((await read(archive({ type: "x", body }, { body: "x" }))).at(-1)).toMatch(/extended header/);
    for (const type of ["x", "g", "L", "K"])
      expect(await read(archive({ type, body: "x".repeat(65 * 1024) }, { body: "x" }))).toEqual([damagedHeader]);
  });

  test("more entries than may be: 100,000, of which none is asked for", async () => {
    const tar = Buffer.alloc(100_000 * 512, entry({ type: "2" }));
    const stream = streamOf(gzipSync(tar, { level: 1 }));
    const options = { most: { entries: 500, bytes: 512 * MiB } };
    const said = "upstream.invalid: the tarball cannot be used: it has more than 500 entries; try again later";
    expect(await outcome(stream, options)).toEqual([said]);
    expect(await read(archive({}, {}, {}), { most: { entries: 3, bytes: MiB } })).toEqual(["f="]);
    expect((await read(archive({}, {}, {}), { most: { entries: 2, bytes: MiB } })).at(-1)).toMatch(
      /more than 2 entries/,
    );
  });

  test("more bytes than may be, in files, in what is skipped and behind the end", async () => {
    const most = { entries: 10, bytes: 2 * MiB };
    const tars = [archive({ body: random }), Buffer.concat([archive({}), random])];
    for (const tar of tars)
      for (const wanted of [() => undefined, () => 8 * MiB])
        expect((await read(tar, { most, wanted })).at(-1)).toBe(tooMuch(2 * MiB));
    expect(await read(archive({ body: "abc" }), { most: { entries: 1, bytes: 2048 } })).toEqual(["f=abc"]);
    expect((await read(archive({ body: "abc" }), { most: { entries: 1, bytes: 2047 } })).at(-1)).toBe(tooMuch(2047));
  });

  test("a bomb: zeros as a file, as a skipped one, behind the end; small ones may compress as they like", async () => {
    const zeros = Buffer.alloc(32 * MiB);
    const all = { wanted: () => 64 * MiB };
    expect(await read(archive({ body: zeros }), all)).toEqual([bomb]);
    expect(await read(archive({ body: zeros }), { wanted: () => undefined })).toEqual([bomb]);
    expect(await read(Buffer.concat([archive({}), zeros]))).toEqual(["f=", bomb]);
    expect(await read(archive({ body: Buffer.alloc(MiB - 4096) }), { wanted: () => undefined })).toEqual([]);
  });

  test("a bomb is not inflated ahead: little of the source is read before it ends", async () => {
    const zipped = gzipSync(archive({ body: Buffer.alloc(128 * MiB) }), { level: 9 });
    const options = { most: { entries: 10, bytes: 256 * MiB } };
    let given = 0;
    const pieces = function* () {
      for (let at = 0; at < zipped.length; at += 1024) {
        given += 1024;
        yield zipped.subarray(at, at + 1024);
      }
    };
    expect(await outcome(Readable.from(pieces(), { objectMode: false, highWaterMark: 1024 }), options)).toEqual([bomb]);
    expect(given).toBeLessThan(zipped.length / 4);
  });
});

function tooMuch(most: number): string {
  return `upstream.invalid: the tarball cannot be used: it has more than ${most} bytes; try again later`;
}

/** A source that gives these bytes and then neither more nor an end. */
function stalled(bytes: Uint8Array): PassThrough {
  const stream = new PassThrough();
  stream.write(bytes);
  return stream;
}

describe("T7: whoever stops, the source is closed", () => {
  /** What compresses badly, so that the first files come out before all is in. */
  const tar = gzipSync(
    archive({ body: "one" }, { name: "r/g", body: randomBytes(200_000) }, { name: "r/h", body: "x" }),
  );

  test("a reader that breaks off, that throws, and a `wanted` that throws", async () => {
    const broken = streamOf(tar);
    for await (const { path } of readTarball(broken, generous)) if (path === "f") break;
    expect(broken.destroyed).toBe(true);
    const thrown = streamOf(tar);
    const reading = async () => {
      for await (const _ of readTarball(thrown, generous)) throw new Error("the reader's own");
    };
    await expect(reading()).rejects.toThrow("the reader's own");
    expect(thrown.destroyed).toBe(true);
    const asking = streamOf(tar);
    const wanted = () => {
      throw new Error("asked");
    };
    await expect(readTarball(asking, { ...generous, wanted }).next()).rejects.toThrow("asked");
    expect(asking.destroyed).toBe(true);
  });

  test("before the first file was asked for", async () => {
    const stream = stalled(tar.subarray(0, 100));
    await readTarball(stream, generous).return();
    expect(stream.destroyed).toBe(true);
  });

  test("while it waits for bytes that do not come", async () => {
    const stream = stalled(tar.subarray(0, 1000));
    const files = readTarball(stream, { ...generous, wanted: (path) => (path === "f" ? undefined : MiB) });
    const waiting = files.next().catch((error: unknown) => error);
    await files.return();
    expect(stream.destroyed).toBe(true);
    expect(await waiting).toMatchObject({ code: "upstream.invalid" });
    expect(await files.next()).toEqual({ done: true, value: undefined });
  });
});

describe("errors of the stream itself pass as they are", () => {
  const fault = new AppError("upstream.timeout", "it took too long");

  test("before, at the start and in the middle; one that nobody reads ends nothing", async () => {
    const before = new PassThrough();
    before.on("error", () => {});
    before.destroy(fault);
    await expect(readTarball(before, generous).next()).rejects.toBe(fault);
    const start = new PassThrough();
    const files = readTarball(start, generous);
    start.destroy(fault);
    await new Promise((resolve) => start.once("close", resolve));
    await expect(files.next()).rejects.toBe(fault);
    const unread = new PassThrough();
    readTarball(unread, generous);
    unread.destroy(fault);
    const unreadable = streamOf(Buffer.from("not gzip"));
    const unasked = readTarball(unreadable, generous);
    await new Promise((resolve) => unreadable.once("close", resolve));
    await expect(unasked.next()).rejects.toMatchObject({ code: "upstream.invalid" });
    const middle = stalled(gzipSync(archive({ body: randomBytes(200_000) })).subarray(0, 100_000));
    const waiting = readTarball(middle, generous).next();
    middle.destroy(fault);
    await expect(waiting).rejects.toBe(fault);
  });

  test("also the reason of whoever ended it; a close without one is an end that came too early", async () => {
    const reason = new Error("the caller's");
    const aborted = stalled(Buffer.alloc(0));
    const waiting = readTarball(aborted, generous).next();
    aborted.destroy(reason);
    await expect(waiting).rejects.toBe(reason);
    const closed = stalled(gzipSync(archive({})).subarray(0, 20));
    const said = outcome(closed);
    closed.destroy();
    expect(await said).toEqual([tooEarly]);
  });
});
