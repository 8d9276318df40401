import { idInStream } from '@parlance/event-store';
import { projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** Which users are service accounts. All other facts are in the rows of users. */
export interface ServiceAccountRow {
  user_id: string;
  /** The group that owns the account. */
  owner_group: string;
}

export const serviceAccountRows = table<ServiceAccountRow>('service_accounts');

export const serviceAccounts = projection<IdentityEvent>({
  name: 'service-accounts',
  version: 1,
  tables: [serviceAccountRows],
  on: {
    UserRegistered: ({ origin, ownerGroup }, { stream }) =>
      origin === 'service_account' && ownerGroup !== undefined
        ? [put(serviceAccountRows, idInStream(stream), { user_id: idInStream(stream), owner_group: ownerGroup })]
        : [],
    UserErased: (_, { stream }) => [remove(serviceAccountRows, idInStream(stream))],
  },
});

export const ServiceAccountById = query('ServiceAccountById', (models, accountId: string): Promise<ServiceAccountRow | null> => {
  return models.get(serviceAccountRows, accountId);
});

/** Oldest first. */
export const ServiceAccounts = query(
  'ServiceAccounts',
  async (models, after: string | null, limit: number): Promise<readonly ServiceAccountRow[]> => {
    return (await models.find(serviceAccountRows, { index: 'key', limit, ...(after !== null && { after: [after] }) })).rows;
  },
);
