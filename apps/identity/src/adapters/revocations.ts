/** Tells when everybody who checks tokens knows of what was revoked. */
export abstract class Revocations {
  /** Resolves when no edge goes by a copy that is older than this place in the log. Rejects with `unavailable`. */
  abstract seenByAll(position: number): Promise<void>;
}
