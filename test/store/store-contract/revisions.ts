import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";
import { kept, revision } from "./rows.ts";

const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value);

export const revisionsContract: Contract = (room) => {
  it("RV-2: keeps a revision and its bytes exactly: every byte, none at all, 16 MiB", async () => {
    const { store } = room();
    const large = Buffer.alloc(16 << 20, everyByte);
    const blobs = new Map<string, Uint8Array>([
      ["every", everyByte],
      ["none", new Uint8Array()],
      ["large", large],
      ["part", large.subarray(300, 310)],
    ]);
    const whole = revision("a", { folder: exactText, files: exactText, summary: exactText, seal: exactText });
    await store.transaction((port) => port.putRevisions([whole], blobs));
    expect(await store.read.findRevisions(["a"])).toEqual([whole]);
    const found = await store.read.findBlobs([...blobs.keys(), "unknown"]);
    expect([...found.keys()].toSorted()).toEqual(["every", "large", "none", "part"]);
    for (const [digest, bytes] of found) expect(Buffer.compare(bytes, blobs.get(digest) ?? everyByte)).toBe(0);
  });

  it("RV-2: writing a revision again heals what was changed by hand", async () => {
    const { store, place } = room();
    const blobs = new Map([["f", everyByte]]);
    await store.transaction((port) => port.putRevisions([revision("a")], blobs));
    await place.query("UPDATE revisions SET folder = 'x', files = 'x', summary = 'x', seal = 'x'");
    await place.query(`UPDATE blobs SET bytes = ${place.engine === "SQLite" ? "x'00'" : "'\\x00'"}`);
    expect(await store.read.findRevisions(["a"])).not.toEqual([revision("a")]);
    await store.transaction((port) => port.putRevisions([revision("a")], blobs));
    expect(await store.read.findRevisions(["a"])).toEqual([revision("a")]);
    expect(Buffer.from((await store.read.findBlobs(["f"])).get("f") ?? [])).toEqual(Buffer.from(everyByte));
  });

  it("RV-2: takes the last of two revisions with one digest, none at all, and asks for none", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      await port.putRevisions([], new Map());
      await port.putRevisions([revision("a", { folder: "first" }), revision("b"), revision("a")], new Map());
      await port.insertKept([]);
    });
    expect(await store.read.findRevisions(["a"])).toEqual([revision("a")]);
    expect(await store.read.findRevisions([])).toEqual([]);
    expect(await store.read.findBlobs([])).toEqual(new Map());
  });

  it("RV-11: finds any number of digests, each once", async () => {
    const { store } = room();
    const digests = Array.from({ length: 40_001 }, (_, place) => hash("sha256", String(place)));
    const present = digests.filter((_, place) => place % 8 === 0);
    const blobs = new Map(present.map((digest) => [digest, Buffer.from(digest)]));
    await store.transaction((port) =>
      port.putRevisions(
        present.map((digest) => revision(digest)),
        blobs,
      ),
    );
    const asked = [...digests, ...digests.slice(0, 999)];
    const found = await store.read.findRevisions(asked);
    expect(found.map(({ digest }) => digest).toSorted()).toEqual(present.toSorted());
    const bytes = await store.read.findBlobs(asked);
    expect(new Map([...bytes].map(([digest, blob]) => [digest, Buffer.from(blob)]))).toEqual(blobs);
  });

  it("RV-2: shows the history of an entry, the newest first; what it had before keeps its place", async () => {
    const { store } = room();
    await store.transaction((port) =>
      port.insertKept([kept("a", "1", 1), kept("a", "2", 2, exactText), kept("b", "2", 2)]),
    );
    await store.transaction((port) => port.insertKept([kept("a", "3", largest), kept("a", "1", 9), kept("a", "1", 9)]));
    expect(await store.read.revisionsOf("a")).toEqual([
      { digest: "3", seenAt: largest, commit: null },
      { digest: "2", seenAt: 2, commit: exactText },
      { digest: "1", seenAt: 1, commit: null },
    ]);
    expect(await store.read.revisionsOf("c")).toEqual([]);
    expect(await store.read.entriesWith("2")).toEqual(["a", "b"]);
    expect(await store.read.entriesWith("4")).toEqual([]);
  });

  it("RV-2: says when entries first had the revisions that are asked for, of any number of them", async () => {
    const { store } = room();
    const many = Array.from({ length: 1200 }, (_, at) => kept(`many ${at}`, "same", at));
    await store.transaction((port) =>
      port.insertKept([kept("a", "1", 1), kept("a", "2", 2), kept("b", "2", 3), ...many]),
    );
    await store.transaction((port) => port.insertKept([kept("a", "1", 9)]));
    const wanted = new Map([
      ["a", "1"],
      ["b", "1"],
      ["c", "2"],
    ]);
    expect(await store.read.firstSeen(wanted)).toEqual(new Map([["a", 1]]));
    expect(await store.read.firstSeen(new Map())).toEqual(new Map());
    const seen = await store.read.firstSeen(new Map(many.map(({ entry }) => [entry, "same"])));
    expect([seen.size, seen.get("many 1199")]).toEqual([1200, 1199]);
  });

  it("RV-11: names the entries of a digest, and the digests, by their bytes", async () => {
    const { store } = room();
    const history = shuffled.flatMap((word) => [kept(word, "same"), kept("same", word)]);
    await store.transaction((port) => port.insertKept(history));
    expect(await store.read.entriesWith("same")).toEqual(inByteOrder);
    const digests = await store.read.keptDigests({ after: "", limit: 100 });
    expect(digests.filter((digest) => digest !== "same")).toEqual(inByteOrder);
    expect(digests).toHaveLength(inByteOrder.length + 1);
    expect(await store.read.keptDigests({ after: "~", limit: 2 })).toEqual(inByteOrder.slice(17, 19));
    expect(await store.read.keptDigests({ after: "\u{10ffff}", limit: 2 })).toEqual([]);
  });
};
