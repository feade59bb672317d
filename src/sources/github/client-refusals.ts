import { AppError } from "../../core/error.ts";
import { fullName, type Repository } from "../repository.ts";

/** What was asked for, as messages say it. */
export interface Subject {
  readonly repository: Repository;
  /** `repository acme/skills`, `branch main of acme/skills`. */
  readonly about: string;
  readonly host: string;
  readonly hasToken: boolean;
}

/** What was asked for is not there, as opposed to a repository that is empty or withheld. */
export class NotThere extends AppError {}

/** What an answer that is no answer means (IN-11 apart), and what can be done about it. */
export function refusalOf(status: number, subject: Subject, quote: string): AppError {
  const { host, about, hasToken } = subject;
  const name = fullName(subject.repository);
  switch (status) {
    case 401:
      return hasToken
        ? new AppError("source.refused", `${host} does not accept the token; give a valid one (\`--token-env\`)`)
        : new AppError("source.refused", `${host} wants a token for ${name}; give one (\`--token-env\`)`);
    case 403:
      return new AppError("source.refused", `${host} refuses ${about}${quote}; ${rightsAdvice(hasToken)}`);
    case 404:
    case 422:
      return new NotThere("source.missing", `${host} has no ${about}; check its name, ${privateAdvice(hasToken)}`);
    case 409:
      return new AppError("source.missing", `${name} is empty: it has no commit yet; push one first`);
    case 451:
      return new AppError("source.missing", `${host} may not give out ${name} for legal reasons${quote}`);
    default:
      return faultOf(status, subject, quote);
  }
}

function rightsAdvice(hasToken: boolean): string {
  return hasToken ? "the token needs the right to read its contents" : "give a token that may read it (`--token-env`)";
}

function privateAdvice(hasToken: boolean): string {
  return hasToken
    ? "or give the token the right to read it: what a token may not see is answered like this"
    : "or give a token (`--token-env`) if it is private: private ones are answered like missing ones";
}

/** The service's own faults count as not being reached: they pass, and are tried again. */
function faultOf(status: number, { host, about }: Subject, quote: string): AppError {
  const isPassing = status >= 500 && status !== 501;
  const advice = isPassing ? "; try again later" : "";
  return new AppError(
    isPassing ? "upstream.unreachable" : "upstream.invalid",
    `${host} answered ${status} when asked for ${about}${quote}${advice}`,
  );
}

/** T12: the name belongs to nothing any more; what it once was has another one, or another owner. */
export function renamed(repository: Repository): AppError {
  return new AppError(
    "source.frozen",
    `${fullName(repository)} was renamed or transferred; look at where it went, then remove the source and add it under its new name`,
  );
}
