import type { SourceWishes } from "../../app/source-settings.ts";
import { AppError } from "../../base/error.ts";
import { onChanges } from "../../ingest/source/source.ts";
import { trusts } from "../../ingest/source/trust.ts";
import { countOption, textOption } from "./call.ts";
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
  };
}

function switchOf({ options }: Call): boolean | undefined {
  const [on, off] = [options["enable"] === true, options["disable"] === true];
  if (on && off) throw new AppError("usage.invalid", "give --enable or --disable, not both");
  return on || off ? on : undefined;
}
