import { type Decider, refuse } from '@parlance/decider';
import { isAfter, type LogPositions } from './log-positions.ts';

export type NotificationReadsCommand =
  /** The user has seen the notifications up to these positions in the logs of the services. */
  { readonly type: 'MarkRead'; readonly upTo: LogPositions } | { readonly type: 'Erase' };

export type NotificationReadsEvent =
  | { readonly type: 'NotificationsRead'; readonly upTo: LogPositions }
  | { readonly type: 'NotificationReadsErased' };

export interface NotificationReads {
  readonly upTo: LogPositions;
  readonly isErased: boolean;
}

/**
 * Which notifications one user has read. There is a position for each service, because an event of one service may arrive after later events of
 * the others. It is unread then, whatever the user has read before.
 */
export const notificationReads: Decider<NotificationReadsCommand, NotificationReadsEvent, NotificationReads> = {
  initialState: { upTo: {}, isErased: false },
  snapshots: { every: 50, shape: 'notificationreads-1' },

  decide(command, { upTo, isErased }) {
    if (command.type === 'Erase') return isErased ? [] : [{ type: 'NotificationReadsErased' }];
    if (isErased) return refuse('missing', 'user_not_found', 'This user was erased.');
    const later = Object.entries(command.upTo).filter(([source, position]) => isAfter(position, upTo[source] ?? '0'));
    return later.length === 0 ? [] : [{ type: 'NotificationsRead', upTo: Object.fromEntries(later) }];
  },

  evolve({ upTo }, event) {
    return event.type === 'NotificationsRead' ? { upTo: { ...upTo, ...event.upTo }, isErased: false } : { upTo: {}, isErased: true };
  },
};

export const notificationReadsStream = (userId: string) => `notifications-${userId}`;
