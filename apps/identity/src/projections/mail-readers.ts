import type { Cursor } from '@parlance/read-models';
import { query } from '../bus.ts';
import { mailReaderRows, userRows } from './users.ts';

const PAGE_SIZE = 500;

export interface PageOfReaders {
  readonly userIds: readonly string[];
  /** Null after the last page. */
  readonly next: Cursor | null;
}

/** Those of these users who have chosen mails about notifications. */
export const MailReaders = query('MailReaders', async (models, userIds: readonly string[]): Promise<readonly string[]> => {
  return [...(await models.getMany(mailReaderRows, userIds)).keys()];
});

/** Those who are in one of the groups, of a page of all users who have chosen mails about notifications. */
export const MailReadersIn = query(
  'MailReadersIn',
  async (models, groups: readonly string[], after: Cursor | null, limit?: number): Promise<PageOfReaders> => {
    const { rows, next } = await models.find(mailReaderRows, { index: 'key', limit: limit ?? PAGE_SIZE, ...(after && { after }) });
    const users = await models.getMany(
      userRows,
      rows.map(({ user_id }) => user_id),
    );
    const members = [...users.values()].filter((user) => user.groups.some((group) => groups.includes(group)));
    return { userIds: members.map(({ user_id }) => user_id), next };
  },
);
