/** The acting party: a user with a session, a service on its own behalf, or the system on behalf of a user. */
export interface Caller {
  readonly userId: string;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly sessionId: string | null;
  readonly kind: 'user' | 'service' | 'system';
}
