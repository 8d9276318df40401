/** An action on a resource, as the audit log names it. The request supplies the actor and the origin. */
export interface ViewedAction {
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
}

/** An action that was refused. */
export interface RefusedAction extends ViewedAction {
  /** The code and the message of the answer. */
  readonly code: string;
  readonly message: string;
  /** True if the caller is unknown or has made too many attempts: such refusals are recorded only a few times a minute. */
  readonly isFrequent?: boolean;
}

/** Records refusals and reads for the audit log. Both methods reject with the refusal `audit_unavailable` when nothing could be recorded. */
export abstract class AuditRecorder {
  /** Resolves when the refusal is durable. The answer is sent only then. */
  abstract record(refused: RefusedAction): Promise<void>;

  /** Resolves when the record of the read is durable. */
  abstract viewed(viewed: ViewedAction): Promise<void>;
}
