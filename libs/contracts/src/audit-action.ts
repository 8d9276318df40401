/** An action as the audit log records it. It has IDs only, because an entry is kept after its user is erased. */
export interface AuditAction {
  readonly action: string;
  readonly resource: string;
  /** Empty if the action concerns nothing with an ID. */
  readonly id: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The acting user, if the caller was not known yet. */
  readonly by?: string;
  /** The reason of a refusal. */
  readonly error?: string;
}

/** Actions on a type of resources. */
export const actionOn =
  (resource: string) =>
  (action: string, id: string, details?: AuditAction['details'], more: Pick<AuditAction, 'by' | 'error'> = {}): AuditAction => ({
    action,
    resource,
    id,
    ...(details && { details }),
    ...more,
  });
