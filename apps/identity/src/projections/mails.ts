import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { findUnleased, type PageOf } from '@parlance/foundation';
import { type Cursor, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';
import { LONGEST_MAIL_PAUSE_MILLIS } from '../domain/mail/outgoing-mail.ts';

/** A mail that is neither sent nor failed. */
export interface MailRow {
  mail_id: string;
  /** Null for an invitation. */
  user_id: string | null;
  /** When the next try may begin (ms). */
  due_at: number;
}

export const mailRows = table<MailRow>('mails', { byDue: ['due_at', 'mail_id'], byUser: ['user_id', 'mail_id'] });

export const mails = projection<IdentityEvent>({
  name: 'mails',
  version: 1,
  tables: [mailRows],
  on: {
    MailRequested: ({ userId, dueAt }, { stream }) => {
      const mail_id = idInStream(stream);
      return [put(mailRows, mail_id, { mail_id, user_id: userId, due_at: dueAt })];
    },
    MailTryBegun: ({ leasedUntil }, { stream }) => [patch(mailRows, idInStream(stream), { due_at: leasedUntil })],
    MailDelayed: ({ dueAt }, { stream }) => [patch(mailRows, idInStream(stream), { due_at: dueAt })],
    MailSent: (_, { stream }) => [remove(mailRows, idInStream(stream))],
    MailFailed: (_, { stream }) => [remove(mailRows, idInStream(stream))],
  },
});

/** Mails whose next try may begin, the longest due first. */
export const DueMails = query('DueMails', (models, now: Instant, after: Cursor | null, limit: number): Promise<PageOf<MailRow, Cursor>> =>
  findUnleased(models, mailRows, { index: 'byDue', limit, ...(after && { after }) }, now, LONGEST_MAIL_PAUSE_MILLIS),
);

/** Up to `limit` mails to a user that are neither sent nor failed. */
export const MailsOfUser = query('MailsOfUser', async (models, userId: string, limit: number): Promise<readonly MailRow[]> => {
  return (await models.find(mailRows, { index: 'byUser', where: { user_id: userId }, limit })).rows;
});
