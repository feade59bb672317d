import { describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import { accountsWith, leaveUser, sessionRow, userRow } from "../../testing/memory-accounts.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { createKeyFile, loadKeys } from "../keys.ts";
import type { SessionRecord } from "./port.ts";
import { sealSession } from "./seal.ts";
import { closeSession, lookAtSession, openSession, touchSession } from "./sessions.ts";

const registryWith = () => accountsWith({ ann: "operator", bob: "admin" }, "hash");
type Registry = ReturnType<typeof registryWith>;

const everything = ({ kept }: Registry) => structuredClone(kept.rows);

describe("T18: a row written by hand signs nobody in", () => {
  const known = Buffer.alloc(32, 7).toString("base64url");
  const hash = sha256(Buffer.from(known));
  const foreign = loadKeys(createKeyFile(seededRandomness("foreign")));

  const forgeries: readonly [string, (anns: SessionRecord, registry: Registry) => SessionRecord][] = [
    ["a copy under a secret that is known", (anns) => ({ ...anns, hash })],
    ["a copy for somebody else", (anns) => ({ ...anns, user: "bob" })],
    ["another way", (anns) => ({ ...anns, way: "oidc" })],
    ["opened later", (anns) => ({ ...anns, createdAt: anns.createdAt + 1 })],
    ["seen later", (anns) => ({ ...anns, seenAt: anns.seenAt + 1 })],
    ["no seal", (anns) => ({ ...anns, seal: "" })],
    ["sealed with another key file", (anns, registry) => sealSession(foreign, anns, userRow(registry, "ann"))],
    ["the seal of the user's own row", (anns, registry) => ({ ...anns, seal: userRow(registry, "ann").seal })],
    [
      "sealed for another user's record",
      (anns, registry) => sealSession(registry.keys, anns, userRow(registry, "bob")),
    ],
  ];

  test.each(forgeries)("%s", async (_what, forge) => {
    const registry = registryWith();
    leaveUser(registry, { ...userRow(registry, "bob"), createdAt: 5 });
    const secret = await openSession(registry, "ann", "password");
    const forged = forge(sessionRow(registry, secret), registry);
    registry.kept.rows.sessions = new Map([[forged.hash, forged]]);
    const before = everything(registry);
    for (const tried of [secret, known]) {
      expect(await lookAtSession(registry, tried)).toBeUndefined();
      await closeSession(registry, tried);
    }
    registry.clock.advance(120_000);
    for (const tried of [secret, known]) {
      expect(await lookAtSession(registry, tried)).toBeUndefined();
      await touchSession(registry, tried);
    }
    expect(everything(registry)).toEqual(before);
  });
});
