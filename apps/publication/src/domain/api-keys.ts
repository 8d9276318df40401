import { type Instant, refuse } from '@parlance/decider';
import type { ApiKeyChange, ApiKeyFacts, LivingKey, PublicationEvent, Published } from './publication-events.ts';

/** The most unrevoked keys of one publication. The state of its stream contains all of them. */
export const MOST_KEYS = 100;

/** `revision`: the revision that the user has read; absent to accept any. */
interface OfKey {
  by: string;
  keyId: string;
  revision?: number;
}

export type ApiKeyCommand =
  | { type: 'CreateKey'; by: string; now: Instant; facts: ApiKeyFacts }
  | ({ type: 'ChangeKey'; now: Instant; change: ApiKeyChange } & OfKey)
  | ({ type: 'RevokeKey' } & OfKey);

type KeyEvent = Extract<PublicationEvent, { type: 'ApiKeyCreated' | 'ApiKeyChanged' | 'ApiKeyRevoked' }>;

export const keyNotFound = () => refuse('missing', 'api_key_not_found', 'There is no such API key, or it was revoked.');
const expiryPassed = () => refuse('invalid', 'expiry_passed', 'The expiry must be in the future.');
const keyIsStale = () =>
  refuse('stale', 'version_stale', 'The API key has changed since it was read. Read it again, then repeat the change.');
const tooMany = () =>
  refuse('conflict', 'too_many_api_keys', `A publication has at most ${MOST_KEYS} API keys. Delete one that is not used.`);

/** The publication has succeeded. */
export function decideKey(command: ApiKeyCommand, { keys }: Published) {
  if (command.type === 'CreateKey') {
    const { by, now, facts } = command;
    // A repeated request. The value shown by the first response stays valid.
    if (keys[facts.keyId]) return [];
    if (facts.expiresAt !== null && facts.expiresAt <= now) return expiryPassed();
    if (Object.keys(keys).length >= MOST_KEYS) return tooMany();
    return [{ type: 'ApiKeyCreated' as const, by, ...facts }];
  }
  const { by, keyId } = command;
  const key = keys[keyId];
  if (!key) return keyNotFound();
  if (command.revision !== undefined && command.revision !== key.revision) return keyIsStale();
  if (command.type === 'RevokeKey') return [{ type: 'ApiKeyRevoked' as const, by, keyId, revision: key.revision }];
  const { now, change } = command;
  if (change.expiresAt != null && change.expiresAt <= now) return expiryPassed();
  const { enabled = key.enabled, expiresAt = key.expiresAt } = change;
  if (change.description === undefined && enabled === key.enabled && expiresAt === key.expiresAt) return [];
  return [{ type: 'ApiKeyChanged' as const, by, keyId, change, enabled, expiresAt, revision: key.revision + 1 }];
}

export function afterKeyEvent(keys: Published['keys'], event: KeyEvent): Published['keys'] {
  switch (event.type) {
    case 'ApiKeyCreated':
      return { ...keys, [event.keyId]: { enabled: true, expiresAt: event.expiresAt, revision: 1 } satisfies LivingKey };
    case 'ApiKeyChanged': {
      const { enabled, expiresAt, revision } = event;
      return { ...keys, [event.keyId]: { enabled, expiresAt, revision } };
    }
    case 'ApiKeyRevoked': {
      const { [event.keyId]: _, ...others } = keys;
      return others;
    }
  }
}
