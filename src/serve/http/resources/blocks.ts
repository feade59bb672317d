import { addBlock, liftBlock, listBlocks } from "../../../app/blocks.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/blocks.ts";

/** RV-9. */
export function mountBlocks(operations: Operations, api: Api): void {
  operations.get(
    { path: "/api/blocks", summary: "The blocks that stand.", answer: schemas.blocks, perGeneration: true },
    ({ person }) => listBlocks(api.as(person)),
  );
  operations.post(
    {
      path: "/api/blocks",
      summary: "Keep something out of use, wherever it comes from.",
      asked: schemas.blockAsked,
      answer: schemas.blocked,
    },
    ({ person }, asked) => addBlock(api.as(person), asked),
  );
  operations.post(
    { path: "/api/blocks/lift", summary: "Lift a block.", asked: schemas.blockAsked, answer: schemas.blocked },
    ({ person }, asked) => liftBlock(api.as(person), asked),
  );
}
