import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { Randomness } from "../../base/world.ts";
import type { Source } from "../../ingest/source/source.ts";
import { type Belonging, decrypt, encrypt, type Keys } from "../keys.ts";
import { isIntactSource } from "../source-seal.ts";
import type { SecretRow, SyncReads, SyncWrites } from "./port.ts";

/**
 * Encrypts a token for one source (IN-6, T40) and gives the name under which it is kept: what the source, sealed anew,
 * has as its `tokenRef` from then on.
 */
export async function keepToken(
  port: Pick<SyncWrites, "putSecret">,
  keys: Keys,
  random: Randomness,
  source: Source,
  token: string,
): Promise<string> {
  if (source.hosts === null)
    throw new AppError("usage.invalid", `the source ${source.id} is on this machine: it takes no token`);
  demandToken(token);
  const name = nameOf(source.id);
  await port.putSecret(name, encrypt(keys, random, token, belongingOf(source)));
  return name;
}

/** What is no token is not repeated: it may be one with something behind it. */
export function demandToken(token: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(token)) return;
  throw new AppError(
    "usage.invalid",
    "a token has 1 to 255 printable ASCII characters and no spaces; look what was given",
  );
}

/**
 * The token of a source, for the way out alone: it is never shown, logged or kept. Null: it has none. Fails for a row
 * that nobody with the key file wrote, and for a token that was encrypted for another source, host set or repository.
 */
export async function openToken(
  port: Pick<SyncReads, "findSecret">,
  keys: Keys,
  source: Source,
): Promise<string | null> {
  if (source.tokenRef === null) return null;
  if (!isIntactSource(keys, source)) throw unusable(source.id, "its row was changed by hand");
  const secret = await port.findSecret(source.tokenRef);
  if (secret === undefined) throw unusable(source.id, "it is not kept any more");
  return decrypt(keys, secret, belongingOf(source));
}

function unusable(id: string, why: string): AppError {
  return new AppError("keys.unusable", `the token of source "${safeLine(id)}" cannot be used: ${why}; set it again`);
}

/** Nothing happens when there is none. */
export async function dropToken(port: Pick<SyncWrites, "deleteSecret">, { id }: Pick<Source, "id">): Promise<void> {
  await port.deleteSecret(nameOf(id));
}

const prefix = "source:";

function nameOf(id: string): string {
  return prefix + id;
}

/** T9: moved to another source, to another GitHub or to another repository, it does not open. */
function belongingOf({ id, hosts, url }: Source): Belonging {
  return ["sources", id, 1, `${hosts}/${url}`];
}

/** What going over all of them came to. */
interface TokensSeen {
  readonly count: number;
  readonly findings: readonly Finding[];
}

/** Every token with the newest secret of the key file (T40). What does not open for its source is left, and said. */
export function reencryptTokens(port: SyncWrites, keys: Keys, random: Randomness): Promise<TokensSeen> {
  return overTokens(port, keys, async (source, token) => void (await keepToken(port, keys, random, source, token)));
}

/** T40: whether each opens for the source it was meant for. */
export function verifyTokens(port: SyncReads, keys: Keys): Promise<TokensSeen> {
  return overTokens(port, keys, async () => {});
}

async function overTokens(
  port: SyncReads,
  keys: Keys,
  act: (source: Source, token: string) => Promise<void>,
): Promise<TokensSeen> {
  const findings: Finding[] = [];
  let count = 0;
  for (const row of await port.listSecrets()) {
    try {
      const source = await ownerOf(port, row);
      const token = await openToken(port, keys, source);
      if (token !== null) await act(source, token);
      count++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      findings.push(foreignToken(row, error.message));
    }
  }
  return { count, findings };
}

async function ownerOf(port: SyncReads, { name }: SecretRow): Promise<Source> {
  const source = await port.findSource(name.slice(prefix.length));
  if (source !== undefined && source.tokenRef === name) return source;
  throw new AppError("keys.unusable", `the secret "${safeLine(name)}" is no source's token`);
}

function foreignToken({ name }: SecretRow, message: string): Finding {
  return { code: "token.tampered", level: "high", message, at: { file: `secrets/${safeLine(name)}`, line: 1 } };
}
