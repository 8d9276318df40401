import type { AuditEntry } from '@parlance/client/types';
import type { AdminMessages } from '../../../../messages/admin-messages.ts';

type Texts = AdminMessages['admin']['operations']['audit'];

/** The name of the actor. Null for a user whose name is unknown, such as an erased one. */
export function actorOf({ user_id, user_name }: Pick<AuditEntry, 'user_id' | 'user_name'>, texts: Texts, ownId: string): string | null {
  if (user_id === ownId) return texts.you;
  // Provisioning tokens have IDs such as scim:01K….
  return user_name ?? texts.actors[user_id || 'anonymous'] ?? (user_id.includes(':') ? texts.provisioning : null);
}

/** The names of users and resources in a list of entries, by ID. */
export function namesIn(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ user_id, user_name, resource_id, resource_name }) => [
      ...(user_name === null ? [] : [[user_id, user_name] as const]),
      ...(resource_name === null ? [] : [[resource_id, resource_name] as const]),
    ]),
  );
}
