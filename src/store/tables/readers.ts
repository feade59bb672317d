import type { Reader, ReaderWrites } from "../../registry/audit/audit.ts";
import type { Db } from "../queries.ts";

/** `locksRows`: whether the engine can pass over a row that another node works on. */
export function readerTable(db: Db, locksRows: boolean): ReaderWrites {
  const putReader = async ({ name, seq, dueAt, attempts, note }: Reader) => {
    const row = { seq, due_at: dueAt, attempts, note };
    const insert = db.insertInto("readers").values({ name, ...row });
    await insert.onConflict((conflict) => conflict.column("name").doUpdateSet(row)).execute();
  };
  return {
    putReader,
    async findReader(name) {
      const row = await db.selectFrom("readers").selectAll().where("name", "=", name).executeTakeFirst();
      return row && readerOf(row);
    },
    async claimReader(name, { now, latest }, until) {
      const named = db.selectFrom("readers").selectAll().where("name", "=", name);
      const due = named.where((row) => row.or([row("due_at", "<=", now), row("due_at", ">", latest)]));
      const row = await (locksRows ? due.forUpdate().skipLocked() : due).executeTakeFirst();
      if (row === undefined) return undefined;
      const claimed = { ...readerOf(row), dueAt: until };
      await putReader(claimed);
      return claimed;
    },
  };
}

function readerOf({ name, seq, due_at, attempts, note }: Row): Reader {
  return { name, seq, dueAt: due_at, attempts, note };
}

interface Row extends Omit<Reader, "dueAt"> {
  readonly due_at: number;
}
