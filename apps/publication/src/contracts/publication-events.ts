import {
  ApiKeyChanged,
  ApiKeyCreated,
  ApiKeyRevoked,
  ApiUsageRecorded,
  PublicationChanged,
  PublicationFailed,
  PublicationRemoved,
  PublicationRequested,
  PublicationSucceeded,
  apiIdOf,
} from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { publishing, say } from '@parlance/foundation';
import { type KeyUseEvent, requestsOf } from '../domain/key-use.ts';
import type { PublicationEvent, Terms } from '../domain/publication-events.ts';

/** No public event has a description, a hash or a part of a value of a key. A refused request is not published. */
export const publishPublications = publishing<PublicationEvent | KeyUseEvent>('publication', {
  DeploymentStarted: ({ stage, ...event }, bot_id) => say(PublicationRequested, { ...deployment(bot_id, event), stage }),
  PublicationSucceeded: ({ stage, ...event }, bot_id) =>
    say(PublicationSucceeded, { ...deployment(bot_id, event), stage, api_id: apiIdOf(event.deploymentId) }),
  PublicationFailed: ({ reason, ...event }, bot_id) => say(PublicationFailed, { ...deployment(bot_id, event), reason }),
  PublicationChanged: ({ terms }, bot_id) => say(PublicationChanged, { bot_id, changed: changedFields(terms) }),
  PublicationRemoved: ({ because, keyIds, ...event }, bot_id) =>
    say(PublicationRemoved, { ...deployment(bot_id, event), because, api_key_ids: [...keyIds] }),
  ApiKeyCreated: ({ keyId, expiresAt }, bot_id) => say(ApiKeyCreated, { bot_id, api_key_id: keyId, expires_at: secondsOf(expiresAt) }),
  ApiKeyChanged: ({ keyId, enabled, expiresAt }, bot_id) =>
    say(ApiKeyChanged, { bot_id, api_key_id: keyId, enabled, expires_at: secondsOf(expiresAt) }),
  ApiKeyRevoked: ({ keyId }, bot_id) => say(ApiKeyRevoked, { bot_id, api_key_id: keyId }),
  ApiUsageRecorded: ({ botId, apiId, hour, counts }, api_key_id) =>
    say(ApiUsageRecorded, {
      bot_id: botId,
      api_id: apiId,
      api_key_id,
      hour: Instant.toSeconds(hour),
      request_count: requestsOf(counts),
      by_status: counts,
    }),
});

const deployment = (bot_id: string, { deploymentId, ownerUserId }: { readonly deploymentId: string; readonly ownerUserId: string }) => ({
  bot_id,
  deployment_id: deploymentId,
  owner_user_id: ownerUserId,
});

const secondsOf = (at: Instant | null): number | null => (at === null ? null : Instant.toSeconds(at));

function changedFields(terms: Partial<Terms>): string[] {
  const names = { quota: 'quota', throttle: 'throttle', allowedOrigins: 'allowed_origins' } as const;
  return (Object.keys(names) as (keyof Terms)[]).filter((name) => terms[name] !== undefined).map((name) => names[name]);
}
