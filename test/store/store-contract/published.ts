import { expect, it } from "vitest";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";

export const publishedContract: Contract = (room) => {
  it("SV-6: keeps what is published to the byte, by exactly its entry, replaces it, and lists it by its bytes", async () => {
    const { store } = room();
    const row = (entry: string) => ({ entry, at: 1, by: "ada", seal: "s" });
    const full = { entry: "a", at: largest, by: exactText, seal: exactText };
    await store.transaction(async (port) => {
      for (const entry of shuffled) await port.putPublished(row(entry));
      await port.putPublished(full);
      for (const entry of ["ab", "nobody"]) await port.deletePublished(entry);
    });
    const left = inByteOrder.filter((entry) => entry !== "ab");
    expect(await store.read.listPublished()).toEqual(left.map((entry) => (entry === "a" ? full : row(entry))));
    const find = (entry: string) => store.read.findPublished(entry);
    expect([await find("a"), await find("A"), await find("ab"), await find("a ")]).toEqual([
      full,
      row("A"),
      undefined,
      undefined,
    ]);
  });
};
