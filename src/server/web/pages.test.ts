import { expect, test } from "vitest";
import { webRoutes } from "./pages.ts";

test("T37: what is not there is named without what cannot be seen, and not at any length", async () => {
  const app = webRoutes(new Map());
  app.onError(({ message }) => new Response(message));
  const told = async (path: string) => (await app.request(path, {}, { incoming: {}, outgoing: {} })).text();
  expect(await told("/assets/x.js")).toBe("there is no /assets/x.js");
  const odd = await told(`/assets/${encodeURIComponent("a\u{1b}[2J\n\u{202e}b")}`);
  expect(odd).toMatch(/^there is no \/assets\/a[\x20-\x7e]*b$/);
  expect((await told(`/assets/${"x".repeat(5000)}`)).length).toBeLessThan(120);
});
