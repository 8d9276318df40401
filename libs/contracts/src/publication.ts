import { z } from 'zod';
import { actionOn } from './audit-action.ts';
import { type DataOf, id, publicEvent, userId } from './public-event.ts';

const onBot = actionOn('bot');

const bot = { bot_id: id.describe('ID of the bot.') };
const deployment = {
  ...bot,
  deployment_id: id.describe('ID of the deployment.'),
  owner_user_id: userId.describe("ID of the bot's owner."),
};
const stage = z.string().describe('Last part of the address of the published API.');
const key = { ...bot, api_key_id: id.describe('ID of the API key.') };
const expiresAt = z.int().nullable().describe('Expiry in epoch seconds; null if the key does not expire.');

export const PublicationRequested = publicEvent(
  'parlance.publication.publication-requested.v1',
  'Published when a bot is reserved for a publication and its deployment begins.',
  z.strictObject({ ...deployment, stage }),
  ({ bot_id, ...facts }) => onBot('publish_bot', bot_id, facts),
);
export type PublicationRequested = DataOf<typeof PublicationRequested>;

export const PublicationSucceeded = publicEvent(
  'parlance.publication.publication-succeeded.v1',
  'Published when a bot is published.',
  z.strictObject({ ...deployment, stage, api_id: z.string().describe('Part of the address that names the published API.') }),
  ({ bot_id, ...facts }) => onBot('complete_publication', bot_id, facts),
);
export type PublicationSucceeded = DataOf<typeof PublicationSucceeded>;

export const PublicationFailed = publicEvent(
  'parlance.publication.publication-failed.v1',
  'Published when a deployment has failed and the bot is released.',
  z.strictObject({ ...deployment, reason: z.string().describe('Why it has failed.') }),
  ({ bot_id, reason, ...facts }) => onBot('complete_publication', bot_id, facts, { error: reason }),
);
export type PublicationFailed = DataOf<typeof PublicationFailed>;

export const PublicationChanged = publicEvent(
  'parlance.publication.publication-changed.v1',
  'Published when the quota, the throttle or the allowed origins of a published bot change.',
  z.strictObject({ ...bot, changed: z.array(z.string()).describe('Names of the changed fields.') }),
  ({ bot_id, changed }) => onBot('change_publication', bot_id, { changed }),
);
export type PublicationChanged = DataOf<typeof PublicationChanged>;

export const PublicationRemoved = publicEvent(
  'parlance.publication.publication-removed.v1',
  'Published when a publication, or a deployment that has failed, is removed. All its API keys are revoked.',
  z.strictObject({
    ...deployment,
    because: z
      .enum(['requested', 'bot_deleted', 'owner_erased'])
      .describe('Whether the owner or an administrator requested it, the bot was deleted, or its owner was erased.'),
    api_key_ids: z.array(id).describe('API keys that are revoked with it.'),
  }),
  ({ bot_id, ...facts }) => onBot('unpublish_bot', bot_id, facts),
);
export type PublicationRemoved = DataOf<typeof PublicationRemoved>;

export const ApiKeyCreated = publicEvent(
  'parlance.publication.api-key-created.v1',
  'Published when an API key of a published bot is created.',
  z.strictObject({ ...key, expires_at: expiresAt }),
  ({ bot_id, ...facts }) => onBot('create_api_key', bot_id, facts),
);
export type ApiKeyCreated = DataOf<typeof ApiKeyCreated>;

export const ApiKeyChanged = publicEvent(
  'parlance.publication.api-key-changed.v1',
  'Published when an API key is enabled or disabled, or its description or expiry changes.',
  z.strictObject({ ...key, enabled: z.boolean().describe('Whether the key is accepted after the change.'), expires_at: expiresAt }),
  ({ bot_id, ...facts }) => onBot('change_api_key', bot_id, facts),
);
export type ApiKeyChanged = DataOf<typeof ApiKeyChanged>;

export const ApiKeyRevoked = publicEvent(
  'parlance.publication.api-key-revoked.v1',
  'Published when an API key is revoked on its own.',
  z.strictObject(key),
  ({ bot_id, ...facts }) => onBot('revoke_api_key', bot_id, facts),
);
export type ApiKeyRevoked = DataOf<typeof ApiKeyRevoked>;

const requests = (what: string) => z.int().min(0).describe(what);

export const ApiUsageRecorded = publicEvent(
  'parlance.publication.api-usage-recorded.v1',
  'Published when requests with an API key were answered: by each edge a second after the last of them, and every ten seconds for a key in constant use. Each request is in one event.',
  z.strictObject({
    ...key,
    api_id: z.string().describe('Part of the address that names the published API.'),
    hour: z.int().describe('Beginning of the hour in which they were answered, in epoch seconds.'),
    request_count: requests('Requests, without those refused with 429.'),
    by_status: z
      .strictObject({
        '2xx': requests('Successful requests.'),
        '3xx': requests('Redirected requests.'),
        '4xx': requests('Refused requests, without those refused with 429.'),
        '429': requests('Requests refused because of the throttle or the quota.'),
        '5xx': requests('Failed requests.'),
      })
      .describe('All requests by the class of their status.'),
  }),
  // The counts of requests to a published API are in the usage of the publication.
  null,
);
export type ApiUsageRecorded = DataOf<typeof ApiUsageRecorded>;
