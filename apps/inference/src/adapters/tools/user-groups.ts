import type { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';

interface Account {
  readonly groups: readonly string[];
  readonly enabled: boolean;
}

/** The user's current groups. Empty for a user who is disabled or erased. Rejects while the identity service does not answer. */
export async function groupsOf(calls: ServiceCalls, userId: string): Promise<readonly string[]> {
  try {
    // The user's own account is read as the user, without any group.
    const caller = { userId, groups: [], sessionId: null, kind: 'user' } as const;
    const account = await calls.get<Account>('identity', '/user/me', { caller });
    return account.enabled ? account.groups : [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'user_not_found') return [];
    throw error;
  }
}
