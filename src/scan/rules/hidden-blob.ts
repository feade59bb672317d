import { encodedIn } from "../decode/decode.ts";
import { kindOfBytes } from "../magic.ts";
import type { Hit, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";

function find(text: ScanText): readonly Hit[] {
  return encodedIn(text)
    .blobs.filter(({ bytes, start }) => kindOfBytes(bytes)?.group !== "media" && !isPublic(text.raw, start))
    .map(({ from, start, end, bytes }) => ({ start, end, inRaw: true, says: `${bytes.length} bytes as ${from}` }));
}

/** Certificates, public keys and signatures are published so. */
function isPublic(raw: string, start: number): boolean {
  return /-----BEGIN (?:[A-Z0-9]{1,10} ){0,3}(?:CERTIFICATE|PUBLIC KEY|PUBLIC KEY BLOCK|SIGNATURE)-----\s{1,4}$/.test(
    raw.slice(Math.max(0, start - 80), start),
  );
}

function noise(length: number): string {
  return Buffer.from(
    Array.from({ length }, (_, at) => ((at * at * 7919 + at * 104_729 + (at >> 3)) % 251) | 0x80),
  ).toString("base64");
}

export const hiddenBlob: Rule = {
  id: "hidden.blob",
  level: "medium",
  title: "a block of encoded data that could not be read",
  why: "What was not read is not known to be harmless: it may be packed or encrypted code. Find out what it is, and who decodes it.",
  mentioned: "same",
  match: { patterns: [], find },
  hostile: [
    `data = "${noise(900)}"`,
    `exec(unlock("${noise(2000)}"))`,
    `\n${noise(1200).replace(/(.{76})/g, "$1\n")}\n`,
  ],
  benign: [
    `![i](data:image/png;base64,iVBORw0KGgo${noise(900)})`,
    `-----BEGIN CERTIFICATE-----\n${noise(900)}\n-----END CERTIFICATE-----`,
    "Checksum 9df333fd2a3ee31bd93083a5bcbde90039ed308d",
    `${"a/path/of/many/folders/".repeat(12)}file.md`,
  ],
};
