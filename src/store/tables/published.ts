import type { PublishedWrites } from "../../workspace/workspace.ts";
import type { Db } from "../queries.ts";

export function publishedTable(db: Db): PublishedWrites {
  const rows = () => db.selectFrom("published").select(["entry", "at", "by_whom as by", "seal"]);
  return {
    async listPublished() {
      return rows().orderBy("entry").execute();
    },
    async findPublished(entry) {
      return rows().where("entry", "=", entry).executeTakeFirst();
    },
    async putPublished({ entry, at, by, seal }) {
      const row = { at, by_whom: by, seal };
      const insert = db.insertInto("published").values({ entry, ...row });
      await insert.onConflict((found) => found.column("entry").doUpdateSet(row)).execute();
    },
    async deletePublished(entry) {
      await db.deleteFrom("published").where("entry", "=", entry).execute();
    },
  };
}
