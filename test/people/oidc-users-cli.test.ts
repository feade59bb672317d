import { afterAll, expect, test } from "vitest";
import { createHomes } from "../support/cli-home.ts";

const { home, remove } = createHomes();
afterAll(remove);

test("SV-11: a user who signs in elsewhere is added without a password that anybody sees", () => {
  const here = home();
  const added = here.json(["user", "add", "cleo", "--role", "reader", "--without-password"]);
  expect(added).toEqual({
    name: "cleo",
    role: "reader",
    createdAt: expect.any(Number),
    disabledAt: null,
    state: "enabled",
  });
  expect(here.run(["user", "add", "dora", "--role", "reader", "--without-password"]).out).not.toContain("password");
  const rows = here.database.prepare("SELECT password FROM users").all() as { password: string }[];
  expect(rows.map(({ password }) => password)).toEqual([
    expect.stringMatching(/^scrypt\$/),
    expect.stringMatching(/^scrypt\$/),
  ]);
  expect(rows[0]).not.toEqual(rows[1]);
});

test("SV-11: a password that is made and none at all are two things: refused, and nobody is added", () => {
  const here = home();
  const both = ["user", "add", "cleo", "--role", "reader", "--without-password", "--generate"];
  expect(here.refusal(both)).toMatchObject({
    exit: 2,
    message: expect.stringMatching(/^give --generate or --without/),
  });
  expect(here.json(["user", "list"]).users).toEqual([]);
});
