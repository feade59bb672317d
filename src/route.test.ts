import { describe, expect, test } from "vitest";
import { createRouter, type RoutableSkill } from "./route.ts";

const bread: RoutableSkill = { id: "x:bread", name: "bread", description: "Bakes bread.", body: "Flour, water, salt." };

describe("RT-1: a router over skills that a program has", () => {
  test("finds them by their words, with no more than the four fields that must be there", async () => {
    const knots = { ...bread, id: "x:knots", name: "knots", description: "Ties knots with a rope.", body: "Rope." };
    const router = createRouter([bread, knots]);
    expect([router.size, router.notes]).toEqual([2, []]);
    expect((await router.route("bake a bread of flour and water")).matches[0]?.entry).toBe("x:bread");
  });

  test.each([
    ["no list", { length: 1 }, "skills: expected a list of { id, name, description, body }"],
    ["no object", [bread, null], "skills[1]: expected { id, name, description, body }"],
    ["no id", [{ ...bread, id: undefined }], "skills[0].id: expected a text"],
    ["an empty id", [{ ...bread, id: "" }], "skills[0].id: expected a text that is not empty"],
    ["no name", [bread, { ...bread, name: undefined }], "skills[1].name: expected a text"],
    ["a description that is no text", [{ ...bread, description: 7 }], "skills[0].description: expected a text"],
    ["no body", [{ ...bread, body: null }], "skills[0].body: expected a text"],
    ["triggers that are one text", [{ ...bread, triggers: "bake" }], "skills[0].triggers: expected a list of texts"],
    ["an alias that is none", [{ ...bread, aliases: ["loaf", 7] }], "skills[0].aliases[1]: expected a text"],
    ["paths that are none", [{ ...bread, paths: [null] }], "skills[0].paths[0]: expected a text"],
    ["another kind", [{ ...bread, kind: "Tool" }], "skills[0].kind: expected tool, host-knowledge"],
    ["another trust", [{ ...bread, trust: "high" }], "skills[0].trust: expected untrusted, community, verified"],
  ])("%s is refused by its place and its field", (_, skills, message) => {
    // As a program in JavaScript may call it.
    const creating = () => Reflect.apply(createRouter, undefined, [skills]);
    expect(creating).toThrow(expect.objectContaining({ code: "usage.invalid" }));
    expect(creating).toThrow(message);
  });
});
