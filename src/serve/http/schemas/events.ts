import { z } from "@hono/zod-openapi";
import type { LiveEvent } from "../../../app/live.ts";
import { errorCode } from "../schemas.ts";
import { count, type Sent } from "./registry.ts";
import { syncFailure, syncResult } from "./sources.ts";

const progress = z.object({
  done: count,
  total: count,
  of: z.enum(["skills", "files", "plugins"]),
  bytes: count,
  left: count.nullable().describe("How many requests the service still allows; null where nobody counts."),
});

const broken = syncFailure
  .extend({ error: z.object({ code: z.enum([...errorCode.options, "internal"]), message: z.string() }) })
  .openapi("BrokenSync");

/** What stands behind `data:`; behind `event:` is what it `is`. */
export const liveEvent = z
  .discriminatedUnion("is", [
    z.object({ is: z.literal("generation"), generation: count }),
    z.object({ is: z.literal("sync"), source: z.string(), progress: progress.nullable() }),
    z.object({ is: z.literal("synced"), source: z.string(), result: z.union([syncResult, broken]) }),
  ])
  .openapi("LiveEvent") satisfies z.ZodType<Sent<LiveEvent>>;
