import { defineConfig } from "vitest/config";

/** `npm run pictures:web`: the pictures of the web in docs/img, taken of real pages by a real browser. */
export default defineConfig({
  test: { include: ["scripts/pictures/*.picture.ts"], testTimeout: 180_000, hookTimeout: 60_000 },
});
