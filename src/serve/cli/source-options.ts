import { readEnvironment } from "../../app/config.ts";
import type { SourceWishes } from "../../app/source-settings.ts";
import { AppError } from "../../base/error.ts";
import { onChanges } from "../../ingest/source/source.ts";
import { trusts } from "../../ingest/source/trust.ts";
import { countOption, listOption, textOption } from "./call.ts";
import type { Call } from "./command.ts";

/** What was typed about a source. The frame has checked the choices already. */
export function sourceWishes(call: Call): SourceWishes {
  const fingerprint = textOption(call, "fingerprint");
  return {
    title: textOption(call, "title"),
    trust: trusts.find((trust) => trust === call.options["trust"]),
    onChange: onChanges.find((what) => what === call.options["onChange"]),
    fingerprint: fingerprint === "none" ? null : fingerprint,
    maxFiles: countOption(call, "maxFiles"),
    maxSeconds: countOption(call, "maxSeconds"),
    maxBytes: countOption(call, "maxBytes"),
    enabled: switchOf(call),
    interval: intervalOf(call),
    include: includeOf(call),
    token: tokenOf(call),
    tokenForOwner: forOwner(call),
  };
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90m`, `6h`, `1d`, or seconds; `none`: only when asked. */
function intervalOf(call: Call): number | null | undefined {
  const text = textOption(call, "interval");
  if (text === undefined || text === "none") return text === undefined ? undefined : null;
  const [, count = "", unit = ""] = /^([1-9]\d{0,8})([smhd]?)$/.exec(text) ?? [];
  if (count === "") throw new AppError("usage.invalid", "--interval: expected a time such as 30m, 6h or 1d, or none");
  return Number(count) * (units[unit || "s"] ?? 1);
}

/** Several at once with commas between them; `--all`: everything, also of a marketplace with many plugins (IN-14). */
function includeOf(call: Call): readonly string[] | null | undefined {
  const named = listOption(call, "include")
    ?.flatMap((text) => text.split(","))
    .map((name) => name.trim());
  if (call.options["all"] !== true) return named;
  if (named !== undefined) throw new AppError("usage.invalid", "give --all or --include, not both");
  return ["*"];
}

/** The secret itself is never an argument: others at the machine could read it there (IN-6). */
function tokenOf(call: Call): string | null | undefined {
  if (call.options["token"] === false) return null;
  const name = textOption(call, "tokenEnv");
  if (name === undefined) return undefined;
  const token = readEnvironment().variable(name);
  if (token !== null) return token;
  // The name is not repeated: somebody may have given the token itself.
  throw new AppError("usage.invalid", "--token-env: the variable it names is not set; give its name, not the token");
}

function forOwner({ options }: Call): boolean | undefined {
  return typeof options["tokenForOwner"] === "boolean" ? options["tokenForOwner"] : undefined;
}

function switchOf({ options }: Call): boolean | undefined {
  const [on, off] = [options["enable"] === true, options["disable"] === true];
  if (on && off) throw new AppError("usage.invalid", "give --enable or --disable, not both");
  return on || off ? on : undefined;
}
