import { type Digest, sha256 } from "../../base/digest.ts";
import type { Randomness } from "../../base/world.ts";

/** A prefix of our own, so that scanners for leaked secrets can know one when they see it. */
const form = /^skw_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** What is kept of a key: whose secret it is, and a hash. 256 random bits need no slow one. */
interface KeyProof {
  readonly id: string;
  readonly hash: Digest;
}

export function createKeyText(random: Randomness): KeyProof & { readonly text: string } {
  const id = Buffer.from(random.bytes(8)).toString("hex");
  const secret = Buffer.from(random.bytes(32)).toString("base64url");
  return { id, hash: hashOf(secret), text: `skw_${id}_${secret}` };
}

export function parseKeyText(text: string): KeyProof | undefined {
  const [, id, secret] = form.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, hash: hashOf(secret) };
}

function hashOf(secret: string): Digest {
  return sha256(Buffer.from(secret));
}
