import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { scrubSecret } from "./covered-text.ts";
import { bodyOf } from "../protocols/prompt.ts";

/** What goes wrong is one of our errors, without the secret; who cancelled gets their own reason back. */
export async function guarded<T>(
  secret: string | null,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(error, secret);
  }
}

/**
 * What a failed request to a model service means. What the transport refused stays what it was. Of anything else only
 * the status and the message are kept, without the secret: the SDK's own error carries the whole prompt and whatever
 * the service sent back.
 */
export function failureOf(error: unknown, secret: string | null): AppError {
  const own = causesOf(error).find((cause) => cause instanceof AppError);
  if (own !== undefined) return own;
  const { name, statusCode, responseHeaders } = bodyOf(error);
  if (isMisshapen(error))
    return new AppError("upstream.invalid", "what the model service answered is not in the form of its protocol");
  const said = error instanceof Error ? safeLine(scrubSecret(error.message, secret), 240) : "";
  if (name === "AI_UnsupportedFunctionalityError" || name === "AI_InvalidPromptError")
    return new AppError("usage.invalid", `this model service cannot be asked so: ${said}`);
  if (typeof statusCode !== "number" || statusCode < 300)
    return new AppError("upstream.invalid", `what the model service answered cannot be used: ${said}`);
  if (statusCode === 401 || statusCode === 403)
    return new AppError(
      "upstream.refused",
      `the model service answered ${statusCode}: it does not accept the secret; set the provider's secret anew`,
    );
  const later = bodyOf(responseHeaders)["retry-after"];
  const wait = typeof later === "string" ? ` (retry-after: ${safeLine(scrubSecret(later, secret), 40)})` : "";
  return new AppError("upstream.invalid", `the model service answered ${statusCode}${wait}: ${said}`);
}

/** The SDK's words for it have all of what came in them, where JSON can spell the secret in other letters. */
function isMisshapen(error: unknown): boolean {
  return error instanceof Error && /^(?:JSON parsing|Type validation) failed/.test(error.message);
}

const deepest = 8;

function causesOf(error: unknown): readonly unknown[] {
  const causes = [error];
  for (let at = error; at instanceof Error && causes.length < deepest; at = at.cause) causes.push(at.cause);
  return causes;
}
