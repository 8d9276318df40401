import { apiIdOf } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { findUnleased, type PageOf } from '@parlance/foundation';
import { add, type At, type Change, type Cursor, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { Publication, PublicationEvent, Quota, Throttle } from '../domain/publication-events.ts';

/** The publication of a bot, or an attempt to publish it. */
export interface PublicationRow {
  bot_id: string;
  owner_user_id: string;
  deployment_id: string;
  /** The part of the address that names the published API. */
  api_id: string;
  /** Counts the requests to publish the bot. */
  number: number;
  /** Counts the changes since the success. */
  revision: number;
  status: Exclude<Publication['status'], 'none'>;
  stage: string;
  quota: Quota | null;
  throttle: Throttle;
  allowed_origins: readonly string[];
  /** Why the deployment has failed. */
  reason: string | null;
  api_key_ids: readonly string[];
  create_time: number;
  /** 1 while there is work left to do. */
  owed: 0 | 1;
  /** When another process may take over the work, in epoch milliseconds. */
  due_time: number;
  /** The version of the publication's stream: the ETag. */
  version: number;
}

/** Counts what was removed with an erased owner. Receipts need these counts, even if the erasure is repeated. */
interface ErasedRow {
  user_id: string;
  publications: number;
  api_keys: number;
}

const publicationRows = table<PublicationRow>('publications', {
  byOwner: ['owner_user_id'],
  byDue: ['owed', 'due_time'],
  byApi: ['api_id'],
});
const erasedRows = table<ErasedRow>('erased_publications');

const changed = ({ stream, version }: At, fields: (row: PublicationRow) => Partial<PublicationRow> = () => ({})): Change[] => [
  update(publicationRows, idInStream(stream), (row) => row && { ...row, ...fields(row), version }),
];

const ended = { owed: 0, due_time: 0 } as const;

export const publications = projection<PublicationEvent>({
  name: 'publications',
  version: 1,
  tables: [publicationRows, erasedRows],
  on: {
    PublicationRequested: ({ ownerUserId, deploymentId, number, stage, terms, leaseUntil }, { stream, version, metadata }) => [
      put(publicationRows, idInStream(stream), {
        bot_id: idInStream(stream),
        owner_user_id: ownerUserId,
        deployment_id: deploymentId,
        api_id: apiIdOf(deploymentId),
        number,
        revision: 1,
        status: 'requested',
        stage,
        quota: terms.quota,
        throttle: terms.throttle,
        allowed_origins: terms.allowedOrigins,
        reason: null,
        api_key_ids: [],
        create_time: Instant.toSeconds(metadata.at),
        owed: 1,
        due_time: leaseUntil,
        version,
      }),
    ],
    DeploymentStarted: (_, at) => changed(at, () => ({ status: 'deploying' })),
    DeploymentTakenOver: ({ leaseUntil }, at) => changed(at, () => ({ due_time: leaseUntil })),
    RequestGivenUp: (_, at) => changed(at, () => ({ status: 'given_up' })),
    RequestWithdrawn: (_, { stream }) => [remove(publicationRows, idInStream(stream))],
    RollbackBegun: (_, at) => changed(at, () => ({ status: 'rolling_back' })),
    PublicationFailed: ({ reason }, at) => changed(at, () => ({ ...ended, status: 'failed', reason })),
    PublicationSucceeded: (_, at) => changed(at, () => ({ ...ended, status: 'succeeded' })),
    PublicationChanged: ({ terms, revision }, at) =>
      changed(at, () => ({
        revision,
        ...(terms.quota !== undefined && { quota: terms.quota }),
        ...(terms.throttle && { throttle: terms.throttle }),
        ...(terms.allowedOrigins && { allowed_origins: terms.allowedOrigins }),
      })),
    PublicationRemovalBegun: ({ leaseUntil }, at) =>
      changed(at, () => ({ status: 'removing', api_key_ids: [], owed: 1, due_time: leaseUntil })),
    PublicationRemoved: ({ because, wasPublished, ownerUserId, keyIds }, { stream }) => [
      remove(publicationRows, idInStream(stream)),
      // A published bot is deleted only with its owner.
      ...(because !== 'requested' && wasPublished
        ? [add(erasedRows, ownerUserId, { publications: 1, api_keys: keyIds.length }, { user_id: ownerUserId })]
        : []),
    ],
    ApiKeyCreated: ({ keyId }, at) => changed(at, (row) => ({ api_key_ids: [...row.api_key_ids, keyId] })),
    ApiKeyChanged: (_, at) => changed(at),
    ApiKeyRevoked: ({ keyId }, at) => changed(at, (row) => ({ api_key_ids: row.api_key_ids.filter((id) => id !== keyId) })),
  },
});

export const PublicationOf = query('PublicationOf', (models, botId: string): Promise<PublicationRow | null> =>
  models.get(publicationRows, botId),
);

/** The publication with this address; null if there is none. */
export const PublicationByApi = query('PublicationByApi', async (models, apiId: string): Promise<PublicationRow | null> => {
  return (await models.find(publicationRows, { index: 'byApi', where: { api_id: apiId }, limit: 1 })).rows[0] ?? null;
});

/** Work whose lease has ended. */
export const DeploymentsDue = query(
  'DeploymentsDue',
  (models, now: Instant, after: Cursor | null, limit: number): Promise<PageOf<PublicationRow, Cursor>> =>
    findUnleased(models, publicationRows, { index: 'byDue', where: { owed: 1 }, limit, ...(after && { after }) }, now),
);

const ERASED_AT_ONCE = 200;

/** The IDs of some of a user's bots that have a publication. */
export const PublicationsOfOwner = query('PublicationsOfOwner', async (models, userId: string): Promise<readonly string[]> => {
  const { rows } = await models.find(publicationRows, { index: 'byOwner', where: { owner_user_id: userId }, limit: ERASED_AT_ONCE });
  return rows.map(({ bot_id }) => bot_id);
});

/** The counts of what was removed with this owner. */
export const PublicationsErasedOf = query(
  'PublicationsErasedOf',
  async (models, userId: string): Promise<{ publications: number; api_keys: number }> => {
    const { publications: removed = 0, api_keys = 0 } = (await models.get(erasedRows, userId)) ?? {};
    return { publications: removed, api_keys };
  },
);
