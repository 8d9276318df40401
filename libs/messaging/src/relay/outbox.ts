/** Brings the public events of a service's log to the groups. */
export abstract class Outbox {
  abstract start(): void;
  /** Resolves when the service may write its first event. */
  abstract firstClaim(): Promise<void>;
  /** The position up to which the log is published. */
  abstract position(): Promise<number>;
  /** Stops publishing. */
  abstract stop(): Promise<void>;
}
