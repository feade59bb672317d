import { z } from "zod";
import { texts } from "../core/schema.ts";

/** The phrases by which an admin wants an entry found, whatever its trust (RT-2). */
export const triggers = z.object({ entry: z.string(), phrases: texts }).meta({ id: "Triggers" });

export type Triggers = Readonly<z.infer<typeof triggers>>;
