import type { RouteWrites } from "../../routing/port.ts";
import type { Db } from "../queries.ts";

type EvaluationsPort = Pick<RouteWrites, "listEvaluations" | "findEvaluation" | "putEvaluation">;

export function evaluationTable(db: Db): EvaluationsPort {
  return {
    async listEvaluations(kind, { before, limit }) {
      const rows = db.selectFrom("evaluations").select(["id", "at", "line"]).where("kind", "=", kind);
      const earlier = before === "" ? rows : rows.where("id", "<", before);
      return earlier.orderBy("id", "desc").limit(limit).execute();
    },
    async findEvaluation(kind, id) {
      const rows = db.selectFrom("evaluations").select(["id", "at", "line", "report"]);
      return rows.where("kind", "=", kind).where("id", "=", id).executeTakeFirst();
    },
    async putEvaluation(kind, { id, ...kept }, most) {
      const insert = db.insertInto("evaluations").values({ id, kind, ...kept });
      await insert.onConflict((row) => row.column("id").doUpdateSet({ kind, ...kept })).execute();
      const latest = db
        .selectFrom("evaluations")
        .select("id")
        .where("kind", "=", kind)
        .orderBy("id", "desc")
        .limit(most);
      await db.deleteFrom("evaluations").where("kind", "=", kind).where("id", "not in", latest).execute();
    },
  };
}
