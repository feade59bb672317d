import { expect, test } from "vitest";
import { createTransactions } from "./transactions.ts";

test("RV-11: a transaction of another store may be begun inside one", async () => {
  const [first, second] = [createTransactions(), createTransactions()];
  expect(await first(() => second(async () => "both"))).toBe("both");
});

test("RV-11: one of the same store may not, also not by way of another store", async () => {
  const [first, second] = [createTransactions(), createTransactions()];
  await expect(first(() => second(() => first(async () => "never")))).rejects.toThrow("inside another one");
});

test("RV-11: what a transaction left behind may begin others, of either store, when it is over", async () => {
  const [first, second] = [createTransactions(), createTransactions()];
  let ends: () => void = () => {};
  const over = new Promise<void>((resolve) => (ends = resolve));
  let later: Promise<string> | undefined;
  await first(async () => {
    later = over.then(() => second(() => first(async () => "later")));
  });
  ends();
  expect(await later).toBe("later");
});
