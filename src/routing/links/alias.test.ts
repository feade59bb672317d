import { describe, expect, it } from "vitest";
import { chainOf, shelfOf } from "../../../test/support/route-room.ts";
import { trusts } from "../../sources/trust.ts";
import { aliasLink, exactLink } from "./exact.ts";

describe("RT-2: the alias link", () => {
  const declared = { aliases: ["tf", "infra-as-code", "Cloud Plans"] };

  it.each(trusts)("hears the aliases of skills from verified sources and above: %s", async (trust) => {
    const shelf = shelfOf([{ id: "ops:terraform", name: "terraform", trust, declared }]);
    const isHeard = trust === "verified" || trust === "first_party";
    for (const query of ["tf", "/infra-as-code", "use the cloud plans skill"]) {
      const { matches } = await chainOf([aliasLink]).route(shelf, query, {});
      expect(matches.map(({ entry }) => entry)).toEqual(isHeard ? ["ops:terraform"] : []);
    }
  });

  it("keeps to words, and says which alias it was", async () => {
    const shelf = shelfOf([{ id: "ops:terraform", name: "terraform", trust: "verified", declared }]);
    const { matches } = await chainOf([aliasLink]).route(shelf, "TF", {});
    expect(matches).toMatchObject([{ confidence: 1, link: "alias", why: 'the query is its alias "tf"' }]);
    for (const query of ["tfx", "tf-lint", "a tf file"])
      expect((await chainOf([aliasLink]).route(shelf, query, {})).matches).toEqual([]);
  });

  it("T32: a skill that takes another's name as its alias does not come before it", async () => {
    const shelf = shelfOf([
      { id: "a:thief", name: "thief", trust: "first_party", declared: { aliases: ["kubectl"] } },
      { id: "z:kubectl", name: "kubectl", trust: "untrusted" },
    ]);
    const { matches, trace } = await chainOf([exactLink, aliasLink]).route(shelf, "kubectl", {});
    expect(matches.map(({ entry }) => entry)).toEqual(["z:kubectl"]);
    expect(trace.steps).toHaveLength(1);
  });
});
