import { expect, test } from "vitest";
import { seededRandomness } from "../testing/seeded-randomness.ts";
import { requestId } from "./request-id.ts";

test.each(["abcd-1234", "a".repeat(64), "req_0123456789"])("SV-8: the client's own id %s is kept", (id) => {
  expect(requestId(id, seededRandomness())).toBe(id);
});

test.each([undefined, "", "short", "a".repeat(65), "with space", "line\nfeed", "übergross", ["abcd-1234"]])(
  "SV-8: instead of %j a new one is made",
  (given) => {
    expect(requestId(given, seededRandomness())).toMatch(/^req_[0-9a-f]{24}$/);
  },
);
