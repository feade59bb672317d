import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { parseDetails } from "../../registry/audit/audit.ts";
import type { Look } from "../../registry/registry.ts";
import type { Contexts } from "../../app/app.ts";
import { demandAudit } from "./flow.ts";
import type { Whereabouts } from "./schema.ts";
import { standingIn } from "../skills/view.ts";
import { Spool } from "../usage/spool.ts";
import { usesOf } from "../usage/reading.ts";
import type { Decision } from "../../registry/schema.ts";

export interface WhereWanted {
  /** The digest, or how it begins. */
  readonly digest: string;
  /** Every single use with its time, instead of one line for each place. */
  readonly each: boolean;
  readonly limit: number;
}

/** The blast radius of a digest (RV-8): everything it is, was and touched. */
export async function whereUsed(opened: Contexts, { digest: typed, each, limit }: WhereWanted): Promise<Whereabouts> {
  demandAudit(opened);
  const digest = await demandDigest(opened, typed.toLowerCase());
  const look = await opened.registry.look();
  const uses = await usesOf(opened).find({ digest, each, limit: limit + 1 });
  return {
    digest,
    entries: await entriesWith(opened, look, digest),
    decisions: decisionsOn(look, digest),
    block: look.facts.ledger.blocks.get(`digest:${digest}`) ?? null,
    uses: uses.slice(0, limit),
    more: uses.length > limit,
    expiredBefore: await expiredBefore(opened),
    spooled: (await new Spool(opened).list()).waiting.length,
  };
}

const most = 10;

async function demandDigest({ kept }: Contexts, start: string): Promise<Digest> {
  if (!/^[0-9a-f]{4,64}$/.test(start))
    throw new AppError(
      "usage.invalid",
      `"${safeLine(start, 80)}" is no digest; give its 64 hex digits, or the first 4 or more`,
    );
  const found = await kept.read.findDigests(start, most + 1);
  const [digest, ...others] = found;
  if (digest === undefined)
    throw new AppError(
      "record.missing",
      `no revision and no use has the digest ${start}; \`skillward skill list\` shows what there is`,
    );
  if (others.length === 0) return digest;
  const listed = found.slice(0, most).map((each) => each.slice(0, 16));
  const rest = found.length > most ? " and more" : "";
  throw new AppError("usage.invalid", `${start} begins several digests: ${listed.join(", ")}${rest}; give more digits`);
}

async function entriesWith({ kept }: Contexts, look: Look, digest: Digest): Promise<Whereabouts["entries"]> {
  const ids = await kept.read.entriesWith(digest);
  return Promise.all(
    ids.map(async (entry) => {
      const { state, inUse } = standingIn(look, entry);
      const isCurrent = look.facts.entries.get(entry)?.current === digest;
      const attachedTo = await kept.read.listTargetsOf(entry);
      return { entry, state, isCurrent, isInUse: inUse === digest, attachedTo };
    }),
  );
}

function decisionsOn({ facts }: Look, digest: Digest): readonly Decision[] {
  const words = [...facts.ledger.decisions.values()].flat();
  return words.filter((word) => word.digest === digest).toSorted((a, b) => a.seq - b.seq);
}

async function expiredBefore({ kept }: Contexts): Promise<number | null> {
  const [latest] = await kept.read.findAudit({ act: "usage.expired", limit: 1 });
  if (latest === undefined) return null;
  const { before } = parseDetails(latest);
  return typeof before === "number" ? before : latest.at;
}
