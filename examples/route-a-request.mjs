// The right skill for a request, or none: `node examples/route-a-request.mjs`
import { fileURLToPath } from "node:url";
import { loadRouter } from "skillward/route";

// Over the example skills; no store, no model, no network.
const router = await loadRouter([fileURLToPath(new URL("skills", import.meta.url))]);
console.log(`${router.size} skills to choose from`);

const queries = [
  "Scale my focaccia recipe from 8 to 60 people.",
  "Use the incident-postmortem skill on last night's outage.",
  "Thanks, that is all!",
];

for (const query of queries) {
  const { matches, abstained, ambiguous, trace } = await router.route(query, { limit: 1 });
  console.log(`\n${query}`);
  if (abstained) console.log("  no skill fits");
  for (const { entry, link, why } of matches) console.log(`  ${entry}\n  ${link}: ${why}`);
  if (ambiguous) console.log("  and others fit about as well");
  console.log(`  asked: ${trace.steps.map(({ link }) => link).join(", ") || "nobody"}`);
}
