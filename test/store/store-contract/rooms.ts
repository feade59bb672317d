import { expect, it } from "vitest";
import type { Source } from "../../../src/sources/schema.ts";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";
import { apiKey, lock, session, source, user } from "./rows.ts";

export const syncContract: Contract = (room) => {
  it("IN-1: keeps every field of a source, replaces it as a whole, and lists sources by their bytes", async () => {
    const { store } = room();
    const put = (...sources: Source[]) =>
      store.transaction(async (port) => {
        for (const each of sources) await port.putSource(each);
      });
    await put(...shuffled.map((id) => source(id)));
    expect(await store.read.listSources()).toEqual(inByteOrder.map((id) => source(id)));
    const full = source("a", {
      title: `${exactText}\0\ud800`,
      ref: exactText,
      trust: "verified",
      repositoryId: largest,
      tokenForOwner: true,
      include: [],
      interval: 60,
      dueAt: largest,
      remote: {
        defaultBranch: "main",
        ref: "heads/é",
        etags: { repository: 'W/"1"', commit: null },
        complete: exactText,
        unread: [],
        proof: { commit: "by API", reachable: null },
      },
      bounds: { files: 1, seconds: 2, bytes: 3 },
      enabled: false,
      status: "partial",
      syncedAt: largest,
    });
    await put(full);
    expect(await store.read.findSource("a")).toEqual(full);
    await put(source("a"));
    expect(await store.read.findSource("a")).toEqual(source("a"));
    expect(await store.read.findSource("nobody")).toBeUndefined();
  });

  it("IN-21: removes the source alone; removing none is fine", async () => {
    const { store } = room();
    const held = lock({ source: "a", token: largest, holder: exactText, takenAt: largest, beatAt: largest });
    await store.transaction(async (port) => {
      await port.putSource(source("a"));
      await port.putSource(source("A"));
      await port.putLock(held);
      await port.deleteSource("a");
      await port.deleteSource("a");
    });
    expect((await store.read.listSources()).map(({ id }) => id)).toEqual(["A"]);
    expect(await store.read.findLock("a")).toEqual(held);
  });

  it("IN-15: a lock is one row per source, replaced as a whole", async () => {
    const { store } = room();
    const freed = { source: "a", token: 2, holder: "", takenAt: 4, beatAt: 5 };
    expect(await store.read.findLock("a")).toBeUndefined();
    for (const each of [lock({ source: "a" }), freed, lock({ source: "b" })]) {
      await store.transaction((port) => port.putLock(each));
      expect(await store.read.findLock(each.source)).toEqual(each);
    }
    expect(await store.read.findLock("a")).toEqual(freed);
  });
};

export const accountsContract: Contract = (room) => {
  it("RV-12: keeps every field of a user, by exactly this name, and lists users by their bytes", async () => {
    const { store } = room();
    const full = user("a", { role: exactText, password: exactText, createdAt: largest, disabledAt: largest });
    await store.transaction(async (port) => {
      for (const name of shuffled) await port.putUser(user(name, { disabledAt: 2 }));
      await port.putUser(full);
      for (const name of ["ab", "nobody"]) await port.deleteUser(name);
    });
    const names = (await store.read.listUsers()).map(({ name }) => name);
    expect(names).toEqual(inByteOrder.filter((name) => name !== "ab"));
    expect([await store.read.findUser("a"), await store.read.findUser("ab")]).toEqual([full, undefined]);
    await store.transaction((port) => port.putUser(user("a")));
    expect(await store.read.findUser("a")).toEqual(user("a"));
    expect([await store.read.findUser("e\u0301"), await store.read.findUser("a ")]).toEqual([undefined, undefined]);
  });

  it("RV-12: keeps every field of a key, and lists keys by their bytes", async () => {
    const { store } = room();
    const configurations = ["b", "a", `${exactText}\0`];
    const full = apiKey("a", { name: exactText, user: "ada", configurations, createdAt: largest, revokedAt: largest });
    const limited = { ...full, configurations: [] };
    await store.transaction(async (port) => {
      for (const id of shuffled) await port.putKey(apiKey(id, { revokedAt: 2 }));
    });
    for (const each of [full, limited, apiKey("a")]) {
      await store.transaction((port) => port.putKey(each));
      expect(await store.read.findKey("a")).toEqual(each);
    }
    expect((await store.read.listKeys()).map(({ id }) => id)).toEqual(inByteOrder);
    expect(await store.read.findKey("nobody")).toBeUndefined();
  });

  it.each(["{", "[1]", '"a"', ""])("RV-12: limits that were damaged to %j come back empty", async (damaged) => {
    const { store, place } = room();
    await store.transaction((port) => port.putKey(apiKey("a", { configurations: ["x"] })));
    await place.query(`UPDATE api_keys SET configurations = '${damaged}'`);
    expect(await store.read.listKeys()).toEqual([apiKey("a", { configurations: [] })]);
    expect(await store.read.findKey("a")).toEqual(apiKey("a", { configurations: [] }));
  });
};

export const sessionsContract: Contract = (room) => {
  it("T37: keeps every field of a session, by exactly this hash, replaced as a whole", async () => {
    const { store } = room();
    const full = session("a", {
      user: exactText,
      way: exactText,
      createdAt: largest,
      seenAt: largest,
      seal: exactText,
    });
    await store.transaction(async (port) => {
      for (const hash of shuffled) await port.putSession(session(hash));
    });
    for (const each of [full, session("a", { user: "ben" })]) {
      await store.transaction((port) => port.putSession(each));
      expect(await store.read.findSession("a")).toEqual(each);
    }
    expect(await store.read.findSession("A")).toEqual(session("A"));
    expect(await store.read.findSession("nobody")).toBeUndefined();
  });

  it("T37: removes one session, those of one user, and those that are too old in either way", async () => {
    const { store, place } = room();
    const left = async () =>
      (await place.query("SELECT hash FROM sessions")).map(({ hash }) => String(hash)).toSorted();
    await store.transaction(async (port) => {
      for (const hash of ["a", "b", "c"]) await port.putSession(session(hash, { user: hash === "c" ? "Ada" : "ada" }));
      await port.putSession(session("long", { user: "ben", createdAt: 10, seenAt: 40 }));
      await port.putSession(session("idle", { user: "ben", createdAt: 20, seenAt: 30 }));
      await port.putSession(session("new", { user: "ben", createdAt: 20, seenAt: 40 }));
      for (const hash of ["a", "a", "nobody"]) await port.deleteSession(hash);
    });
    expect(await left()).toEqual(["b", "c", "idle", "long", "new"]);
    await store.transaction((port) => port.deleteSessionsOf("ada"));
    expect(await left()).toEqual(["c", "idle", "long", "new"]);
    await store.transaction((port) => port.deleteSessionsBefore(10, 30));
    expect(await left()).toEqual(["idle", "long", "new"]);
    await store.transaction((port) => port.deleteSessionsBefore(11, 31));
    expect(await left()).toEqual(["new"]);
  });
};

export const llmContract: Contract = (room) => {
  it("RV-13: keeps records by kind and id, replaces them with their secret, and lists them by their bytes", async () => {
    const { store } = room();
    const kinds = ["provider", "configuration", "task"] as const;
    const record = (id: string, text: string, secret: string | null = null) => ({ id, record: text, secret });
    await store.transaction(async (port) => {
      for (const id of shuffled) for (const kind of kinds) await port.putLlmRecord(kind, record(id, kind, exactText));
      await port.putLlmRecord("provider", record("a", exactText));
      await port.deleteLlmRecord("task", "a");
      await port.deleteLlmRecord("task", "nobody");
    });
    const ids = async (kind: (typeof kinds)[number]) => (await store.read.listLlmRecords(kind)).map(({ id }) => id);
    expect([await ids("provider"), await ids("task")]).toEqual([inByteOrder, inByteOrder.filter((id) => id !== "a")]);
    expect(await store.read.findLlmRecord("provider", "a")).toEqual(record("a", exactText));
    expect(await store.read.findLlmRecord("configuration", "a")).toEqual(record("a", "configuration", exactText));
    expect(await store.read.findLlmRecord("task", "a")).toBeUndefined();
  });

  it("RV-14: keeps what is attached in its order, replaces all of it, and knows the targets of an entry", async () => {
    const { store } = room();
    const many = Array.from({ length: 1201 }, (_, place) => `e${(place * 7) % 1201}`);
    await store.transaction(async (port) => {
      await port.putAttached("config:a", many);
      await port.putAttached("task:a", ["e1"]);
      for (const id of shuffled) await port.putAttached(`task:${id}`, ["e2", "é"]);
    });
    expect(await store.read.listAttached("config:a")).toEqual(many);
    expect(await store.read.listAttached("task:nobody")).toEqual([]);
    expect(await store.read.listTargetsOf("e2")).toEqual(["config:a", ...inByteOrder.map((id) => `task:${id}`)]);
    await store.transaction(async (port) => {
      await port.putAttached("config:a", ["e2"]);
      for (const id of shuffled) await port.putAttached(`task:${id}`, []);
    });
    expect(await store.read.listAttached("config:a")).toEqual(["e2"]);
    expect([await store.read.listTargetsOf("e2"), await store.read.listTargetsOf("é")]).toEqual([["config:a"], []]);
  });
};
