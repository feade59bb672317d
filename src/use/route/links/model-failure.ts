import { AppError } from "../../../base/error.ts";

/**
 * What asking a model gives; a failure says what became of it, and nothing that the service said: that may repeat the
 * query, and findings are kept longer than queries.
 */
export async function withoutTheirWords<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [said = "the model service could not be used"] =
      /^the model service answered \d{3}/.exec(error.message) ?? [];
    throw new AppError(error.code, said, { cause: error });
  }
}
