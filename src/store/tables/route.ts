import type { RouteWrites } from "../../routing/port.ts";
import type { Db } from "../queries.ts";
import { inBatches, lastOfEach, selectAll } from "./batches.ts";

export function routeTables(db: Db): RouteWrites {
  return { ...triggerTable(db), ...vectorTable(db), ...evaluationTable(db) };
}

function triggerTable(db: Db) {
  const rows = () => db.selectFrom("triggers").select(["entry", "phrases"]);
  return {
    async listTriggers() {
      return rows().orderBy("entry").execute();
    },
    async findTriggers(entry) {
      return rows().where("entry", "=", entry).executeTakeFirst();
    },
    async putTriggers(entry, phrases) {
      if (phrases === null) {
        await db.deleteFrom("triggers").where("entry", "=", entry).execute();
        return;
      }
      const insert = db.insertInto("triggers").values({ entry, phrases });
      await insert.onConflict((row) => row.column("entry").doUpdateSet({ phrases })).execute();
    },
  } satisfies Partial<RouteWrites>;
}

function vectorTable(db: Db) {
  return {
    async findVectors(model, digests) {
      const rows = () => db.selectFrom("vectors").select(["digest", "vector"]).where("model", "=", model);
      const found = await selectAll(digests, (some) => rows().where("digest", "in", some).execute());
      return new Map(found.map(({ digest, vector }) => [digest, vector]));
    },
    async putVectors(model, vectors) {
      const rows = lastOfEach(vectors, ({ digest }) => digest).map(({ digest, vector }) => ({ model, digest, vector }));
      await inBatches(
        rows,
        (some) =>
          db
            .insertInto("vectors")
            .values(some)
            .onConflict((conflict) =>
              conflict.columns(["model", "digest"]).doUpdateSet((row) => ({ vector: row.ref("excluded.vector") })),
            )
            .execute(),
        // So that no statement carries more than some 8 MB.
        ({ vector }) => 1 + vector.length / 16_384,
      );
    },
  } satisfies Partial<RouteWrites>;
}

function evaluationTable(db: Db) {
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
  } satisfies Partial<RouteWrites>;
}
