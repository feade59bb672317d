import { expect, it } from "vitest";
import { auditGenesis, recordChanges } from "../../../src/registry/audit/audit.ts";
import { verifyChain } from "../../../src/registry/verify.ts";
import { type Contract, exactText, largest } from "./room.ts";
import { audited, statement } from "./rows.ts";

export const auditContract: Contract = (room) => {
  it("RV-8: the chain begins with the store, and its head is the last record", async () => {
    const { store } = room();
    await store.transaction((port) => port.setStoreIdentity({ id: "one", seal: "s" }));
    expect(await store.read.auditHead()).toEqual({ seq: 0, hash: auditGenesis("one") });
    await store.transaction((port) => port.insertAudit([audited(1), audited(2), audited(10), audited(9)]));
    expect(await store.read.auditHead()).toEqual({ seq: 10, hash: "hash 10" });
  });

  it("RV-8: keeps a record byte for byte", async () => {
    const { store } = room();
    const texts = { by: exactText, act: exactText, subject: exactText, details: exactText, prev: exactText };
    const kept = audited(largest, { at: largest, hash: exactText, ...texts });
    await store.transaction((port) => port.insertAudit([kept]));
    expect(await store.read.auditAfter(0, 9)).toEqual([kept]);
  });

  it("RV-8: gives the records in order, page by page, to the end", async () => {
    const { store } = room();
    const many = Array.from({ length: 1203 }, (_, place) => audited(place + 1));
    await store.transaction(async (port) => {
      await port.insertAudit([]);
      await port.insertAudit(many.toReversed());
    });
    expect(await store.read.auditAfter(0, 5000)).toEqual(many);
    expect(await store.read.auditAfter(1200, 2)).toEqual(many.slice(1200, 1202));
    expect(await store.read.auditAfter(1203, 2)).toEqual([]);
  });

  it("RV-8: refuses a second record in one place", async () => {
    const { store } = room();
    await store.transaction((port) => port.insertAudit([audited(1)]));
    await expect(
      store.transaction((port) => port.insertAudit([audited(2), audited(1, { by: "eve" })])),
    ).rejects.toThrow(/unique/i);
    expect(await store.read.auditAfter(0, 9)).toEqual([audited(1)]);
  });

  it("RV-8: a chain of hostile texts verifies after it was kept", async () => {
    const { store } = room();
    await store.transaction((port) => port.setStoreIdentity({ id: "one", seal: "s" }));
    const details = { note: "NUL \0, half \ud800, bell \u0007", "\0": ["\udfff", "😀", 1.5, largest] };
    const event = { at: 1, by: exactText, act: "source.refused", subject: exactText, details } as const;
    await store.transaction((port) => recordChanges(port, [event, event]));
    const report = await verifyChain(store.read, "one", { seq: 0, hash: "" });
    expect(report).toMatchObject({ records: 2, fault: null });
  });

  it("RV-3: keeps the ledger in the order it arrived, and finds it by subject and from the top", async () => {
    const { store } = room();
    const row = (seq: number, subject: string) => statement({ seq, subject, payload: exactText });
    const rows = [row(1, "a"), row(3, "é"), row(2, "a"), { ...row(3, "a"), key: exactText }, row(largest, "a")];
    await store.transaction(async (port) => {
      for (const each of rows) await port.appendLedger(each);
    });
    const kept = await store.read.ledgerAfter(0, 9);
    const places = kept.map(({ place }) => place);
    expect(kept).toEqual(rows.map((each, number) => Object.assign({ place: places[number] }, each)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const at = (...which: number[]) => which.map((place) => kept[place]);
    expect(await store.read.ledgerAfter(places[1] ?? 0, 2)).toEqual(at(2, 3));
    expect(await store.read.ledgerAfter(places[4] ?? 0, 2)).toEqual([]);
    // The later one of two that claim a place comes first.
    expect(await store.read.ledgerTop(3)).toEqual(at(4, 3, 1));
    expect(await store.read.ledgerTop(99)).toEqual(at(4, 3, 1, 2, 0));
    expect(await store.read.ledgerOf("a")).toEqual(at(0, 2, 3, 4));
    expect(await store.read.ledgerOf("A")).toEqual([]);
    const ofAll = async (...subjects: string[]) =>
      (await store.read.ledgerOfAll(subjects)).toSorted((one, other) => one.place - other.place);
    expect(await ofAll("a", "é", "a", "A")).toEqual(kept);
    expect([await ofAll("é", "b"), await ofAll()]).toEqual([at(1), []]);
  });

  it("RV-3: finds the words on more subjects than fit into one statement", async () => {
    const { store } = room();
    const subjects = Array.from({ length: 1203 }, (_, number) => `house:${number}`);
    await store.transaction(async (port) => {
      for (const subject of ["house:0", "house:700", "house:1202", "guest:0"])
        await port.appendLedger(statement({ subject }));
    });
    const found = (await store.read.ledgerOfAll(subjects)).map(({ subject }) => subject);
    expect(found.toSorted()).toEqual(["house:0", "house:1202", "house:700"]);
  });

  it("RV-3: a place in the ledger is never given twice, also not after a transaction that failed", async () => {
    const { store } = room();
    const append = () => store.transaction((port) => port.appendLedger(statement()));
    await append();
    const failing = store.transaction(async (port) => {
      await port.appendLedger(statement());
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await append();
    const [first, second, ...others] = await store.read.ledgerAfter(0, 9);
    expect(others).toEqual([]);
    expect(second?.place).toBeGreaterThan(first?.place ?? largest);
  });

  it("RV-8: looks for audit records by act, part of the subject, person, time and place", async () => {
    const { store } = room();
    const records = [
      audited(1, { act: "decision.approve", subject: "house:a%b" }),
      audited(2, { act: "decision.reject", subject: "house:A_b", by: "eve" }),
      audited(3, { act: "decisions", subject: "house:é😀" }),
      audited(4, { act: "user.added", subject: exactText, at: largest }),
    ];
    await store.transaction((port) => port.insertAudit(records));
    const found = async (wanted: object) => (await store.read.findAudit({ limit: 9, ...wanted })).map(({ seq }) => seq);
    expect(await store.read.findAudit({ limit: 1 })).toEqual([records[3]]);
    expect(await found({})).toEqual([4, 3, 2, 1]);
    expect(await found({ after: 1 })).toEqual([2, 3, 4]);
    expect(await found({ before: 3, limit: 1 })).toEqual([2]);
    expect(await found({ act: "decision." })).toEqual([2, 1]);
    expect(await found({ act: "Decision." })).toEqual([]);
    expect(await found({ act: "%" })).toEqual([]);
    expect(await found({ acts: ["user.added", "decision.reject"] })).toEqual([4, 2]);
    expect(await found({ acts: ["decision.approve", "user.added"], after: 1 })).toEqual([4]);
    expect(await found({ by: "eve" })).toEqual([2]);
    expect(await found({ since: 4 })).toEqual([4]);
    expect([await found({ subject: "a%" }), await found({ subject: "A_" })]).toEqual([[1], [2]]);
    expect([await found({ subject: "é😀" }), await found({ subject: exactText })]).toEqual([[3], [4]]);
    expect(await found({ act: "decision", subject: "house", by: "ada", since: 2, before: 4 })).toEqual([3]);
  });
};
