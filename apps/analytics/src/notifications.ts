import { NotificationsController } from './http/notifications/notifications.controller.ts';
import { NotificationLists } from './workflows/notifications/notification-list.ts';
import { NotificationNames } from './workflows/notifications/notification-names.ts';
import { NotificationStream } from './workflows/notifications/notification-stream.ts';
import { NotificationWatch } from './workflows/notifications/notification-watch.ts';

/** The parts of the module that notify users. */
export const notificationParts = {
  controllers: [NotificationsController],
  providers: [NotificationLists, NotificationNames, NotificationStream, NotificationWatch],
};
