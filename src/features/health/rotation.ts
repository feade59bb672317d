import type { App, Contexts } from "../../app/app.ts";
import { loadKeyFile } from "../../app/key-file.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { encryptAnew, foreignSecret } from "../../models/secrets.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { resealAccounts } from "../../registry/accounts/seal.ts";
import { recordChanges } from "../../registry/audit/audit.ts";
import { sealIdentity } from "../../registry/guard.ts";
import { isNewest, renderKeyFile, rotateKeyFile } from "../../registry/keys.ts";
import { ledgerHead } from "../../registry/ledger/ledger-head.ts";
import { reencryptTokens } from "../../registry/sync/remote.ts";
import type { StoreWrites } from "../../store/store.ts";

export interface Rotation {
  /** The key that signs from now on. */
  readonly signing: string;
  /** False: the key file had been rotated before, and this store had not followed yet. */
  readonly isNew: boolean;
  /** How many rows were sealed or encrypted with the new secret. */
  readonly users: number;
  readonly keys: number;
  readonly providers: number;
  /** Of sources (IN-6). */
  readonly tokens: number;
  /** Rows that nobody with the key file wrote: they were left as they are. */
  readonly findings: readonly Finding[];
}

/**
 * A new signing key and a new secret (T40). First the file, then the store: the new file also opens what the old one
 * has closed, so that both open the store until all of it has followed, in one transaction; whoever stops in between
 * goes on by asking again. From then on the old file opens nothing.
 */
export async function rotateKeys(open: () => Promise<App>): Promise<Rotation> {
  const isNew = await during(open, async (app) => {
    const permit = requireRight(app, "administer");
    const isBehind = await lagsBehind(app);
    if (!isBehind) await replaceKeyFile(app, permit);
    return !isBehind;
  });
  return during(open, async (app) => ({ ...(await adoptKeys(app, requireRight(app, "administer"))), isNew }));
}

/** What may be known of a key file: its public keys, and which of its keys are in use. */
export interface KeysShown {
  readonly file: string;
  readonly store: string;
  /** Whether the store stands on the newest keys, and opens for no older key file. */
  readonly isAdopted: boolean;
  readonly signing: readonly { readonly id: string; readonly state: KeyState; readonly publicKey: string }[];
  readonly secrets: readonly { readonly id: string; readonly state: KeyState }[];
}

type KeyState = "active" | "retired";

export async function showKeys(opened: Contexts): Promise<KeysShown> {
  const { kept, world, places } = opened;
  requireRight(opened, "administer");
  const { signing, secrets } = await loadKeyFile(world.files, places.keyFile);
  return {
    file: places.keyFile,
    store: kept.store,
    isAdopted: !(await lagsBehind(opened)),
    signing: signing.map(({ id, public: publicKey }, place) => ({ id, state: stateAt(place), publicKey })),
    secrets: secrets.map(({ id }, place) => ({ id, state: stateAt(place) })),
  };
}

/** The newest comes first. */
function stateAt(place: number): KeyState {
  return place === 0 ? "active" : "retired";
}

async function during<Result>(open: () => Promise<App>, act: (app: App) => Promise<Result>): Promise<Result> {
  const app = await open();
  try {
    return await act(app);
  } finally {
    await app.close();
  }
}

/** A rotation that did not come to its end here, or that was made for another store with the same key file. */
export async function lagsBehind({ kept, keys }: Contexts): Promise<boolean> {
  return !isNewest(keys, (await kept.read.storeIdentity())?.seal ?? "");
}

/** The first step. The store's transaction keeps two of them apart: the second would forget the keys of the first. */
export async function replaceKeyFile({ kept, keys, world, places }: App, _permit: Permit<"administer">): Promise<void> {
  await kept.transaction(async () => {
    const file = await loadKeyFile(world.files, places.keyFile);
    if (file.signing[0]?.id !== keys.signing.id)
      throw new AppError("keys.unusable", "the key file was rotated by another process just now; nothing was changed");
    await world.files.writePrivate(places.keyFile, Buffer.from(renderKeyFile(rotateKeyFile(file, world.random))));
  });
}

/** The second step: everything in the store that stands on the secret of the key file. */
export async function adoptKeys(app: App, permit: Permit<"administer">): Promise<Omit<Rotation, "isNew">> {
  const { kept, keys, world } = app;
  return kept.transaction(async (port) => {
    await port.setStoreIdentity(sealIdentity(kept.store, keys));
    const accounts = await resealAccounts(port, keys, permit);
    const providers = await reencryptProviders(app, port);
    const tokens = await reencryptTokens(port, keys, world.random, permit);
    const findings = [...accounts.findings, ...providers.findings, ...tokens.findings];
    const { users, keys: apiKeys } = accounts;
    const counts = { users, keys: apiKeys, providers: providers.count, tokens: tokens.count };
    // Up to here the retired keys have signed; a word behind it that bears one of them was not said by anyone of ours.
    const { seq: words } = await ledgerHead(port, keys, kept.known());
    const retired = [...keys.trusted.keys()].filter((id) => id !== keys.signing.id);
    const details = { signing: keys.signing.id, retired, words, ...counts, left: findings.length };
    const event = {
      at: world.clock.now(),
      by: permit.person.name,
      act: "keys.rotated",
      subject: kept.store,
      details,
    } as const;
    await recordChanges(port, [event]);
    return { signing: keys.signing.id, ...counts, findings };
  });
}

async function reencryptProviders({ keys, world }: App, port: StoreWrites) {
  const findings: Finding[] = [];
  let count = 0;
  for (const stored of await port.listLlmRecords("provider")) {
    const anew = orWhyNot(() => encryptAnew(keys, world.random, stored));
    if (typeof anew === "string") findings.push(foreignSecret(stored.id, anew));
    else {
      await port.putLlmRecord("provider", anew);
      if (stored.secret !== null) count++;
    }
  }
  return { count, findings };
}

function orWhyNot<Result>(act: () => Result): Result | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
