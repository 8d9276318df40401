import { idInStream } from '@parlance/event-store';
import { type At, projection, remove, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { LogPositions } from '../../domain/log-positions.ts';
import type { NotificationReadsEvent } from '../../domain/notification-reads.ts';

/** The positions in the logs of the services up to which a user has read notifications. */
interface NotificationReadsRow {
  readonly up_to: LogPositions;
}

const readRows = table<NotificationReadsRow>('notification_reads');

export const notificationReadRows = projection<NotificationReadsEvent>({
  name: 'notification-reads',
  version: 1,
  tables: [readRows],
  on: {
    NotificationsRead: ({ upTo }, { stream }: At) => [
      update(readRows, idInStream(stream), (row) => ({ up_to: { ...row?.up_to, ...upTo } })),
    ],
    NotificationReadsErased: (_, { stream }) => [remove(readRows, idInStream(stream))],
  },
});

export const ReadUpTo = query('ReadUpTo', async (models, userId: string): Promise<LogPositions> => {
  return (await models.get(readRows, userId))?.up_to ?? {};
});
