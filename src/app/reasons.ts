import type { Finding } from "../base/finding.ts";

/** Why each kind of finding matters, by its code (RV-6). */
export type Reasons = Readonly<Record<string, string>>;

export async function reasonsFor(findings: readonly Finding[]): Promise<Reasons> {
  const { whyOf } = await import("../review/why.ts");
  const codes = [...new Set(findings.map(({ code }) => code))];
  return Object.fromEntries(
    codes.flatMap((code) => {
      const why = whyOf(code);
      return why === undefined ? [] : [[code, why]];
    }),
  );
}
