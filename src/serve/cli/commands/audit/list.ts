import { listAudit, parseMoment } from "../../../../app/audit.ts";
import { AppError } from "../../../../base/error.ts";
import { safeLine } from "../../../../base/text.ts";
import type { AuditWanted } from "../../../../registry/inquiry.ts";
import { countOption, flagOf, textOption } from "../../call.ts";
import { type Call, exit } from "../../command.ts";
import { renderTable, show, when } from "../../render.ts";
import { withInspection } from "../../with-app.ts";

export const run = withInspection(async (opened, call, output) => {
  const records = await listAudit(opened, wantedBy(call));
  show(output, call, records, () => {
    if (records.length === 0) return "No records like that.";
    const rows = records.map(({ seq, at, by, act, subject, details }) => [
      String(seq),
      when(at),
      safeLine(by, 48),
      safeLine(act, 32),
      safeLine(subject, 80),
      safeLine(details, 80),
    ]);
    return renderTable(["seq", "at", "by", "act", "subject", "details"], rows, output.style);
  });
  return exit.fine;
});

function wantedBy(call: Call): AuditWanted {
  const [act, subject, by, since] = ["act", "subject", "by", "since"].map((name) => textOption(call, name));
  const [after, before] = ["after", "before"].map((name) => seqOption(call, name));
  const limit = countOption(call, "limit") ?? 50;
  return { limit, act, subject, by, since: since === undefined ? since : parseMoment(since), after, before };
}

/** 0 is before the first one. */
function seqOption(call: Call, name: string): number | undefined {
  const text = textOption(call, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `${flagOf(name)}: expected the number of a record`);
}
