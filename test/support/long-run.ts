import { env } from "node:process";

/** `npm run test:long`, before each release, runs whole what `npm test` runs in part: kills by the hundred, storms, every page. */
const isLongRun = env["SKILLWARD_LONG_RUN"] === "1";

export function forRun<Value>(sizes: { readonly short: Value; readonly long: Value }): Value {
  return isLongRun ? sizes.long : sizes.short;
}
