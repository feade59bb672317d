import { AppError } from "../../core/error.ts";

/** Why nobody was signed in, in closed words: they are all that the log says of it. */
export type Reason =
  /** More tries from one address than one household makes. */
  | "too-many"
  /** The browser is elsewhere and came without TLS: others could read along. */
  | "channel.plain"
  /** The service cannot be reached, is slow, points elsewhere or answers without end. */
  | "issuer.unreachable"
  /** Its description is not one, is of another issuer, or lacks what is needed. */
  | "issuer.invalid"
  /** It said no: the person turned back, or the client is not known there. */
  | "issuer.refused"
  /** The browser did not begin here, began long ago, or brings what we have not made. */
  | "cookie.missing"
  | "cookie.invalid"
  /** What came back belongs to another try, or to one that has been answered. */
  | "state.mismatch"
  | "state.used"
  /** What came back names another issuer (RFC 9207), or no code. */
  | "answer.issuer"
  | "answer.invalid"
  /** The service gave no token for the code. */
  | "code.refused"
  | "token.malformed"
  | "token.algorithm"
  | "token.key"
  | "token.signature"
  | "token.issuer"
  | "token.audience"
  | "token.time"
  | "token.nonce"
  /** The claim is not there, or nobody here can have such a name. */
  | "claim.invalid"
  /** No user of that name, or one who may not sign in. */
  | "user.unknown"
  /** What nobody foresaw: the log has more of it. */
  | "internal";

/** Somebody was not signed in (SV-11). Its message is for nobody: it says the reason and nothing that came. */
export class SignInRefused extends AppError {
  readonly reason: Reason;

  constructor(reason: Reason, options?: { cause?: unknown }) {
    super("auth.failed", `nobody was signed in: ${reason}`, options);
    this.reason = reason;
  }
}
