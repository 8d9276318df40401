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
  /** True when the caller is unknown or has guessed too often: such refusals are recorded a few times a minute only. */
  readonly isFrequent?: boolean;
}

/** Records refusals and reads for the audit log. Both methods reject with the refusal `audit_unavailable` when nothing could be recorded. */
export abstract class AuditRecorder {
  /** Resolves when the refusal is durable, so that the answer is sent after it. */
  abstract record(refused: RefusedAction): Promise<void>;

  /** Resolves when it is durable that data were shown. */
  abstract viewed(viewed: ViewedAction): Promise<void>;
}
