import type { Finding, Level } from "../core/finding.ts";

/** CO-8: a list without a user turn stays as it is, and it is said. */
export const noUser = finding(
  "inject.no-user",
  "medium",
  "the request has no user message: no skill text was put into it",
);

export const noPlace = finding(
  "inject.no-place",
  "medium",
  "the first user message holds neither a text nor a list of parts: no skill text was put into it",
);

export const noLastPlace = finding(
  "inject.no-place",
  "medium",
  "no user message says anything: the skills that were meant for the last one were not put into it",
);

export const noPromptPlace = finding(
  "inject.no-place",
  "medium",
  "the prompt is neither a text nor a list of texts: no skill text was put into it",
);

export const noSystemPlace = finding(
  "inject.no-place",
  "medium",
  "the system prompt is neither a text nor a list of parts: no skill text was put behind it",
);

export const noSystem = finding(
  "inject.no-system",
  "info",
  "a completion has no system prompt: what was meant for it stands in front of the prompt",
);

/** The same for a request's values and for its bytes: a line of the body would not be. */
function finding(code: string, level: Level, message: string): Finding {
  return { code, level, message, at: { file: "request", line: 1 } };
}
