import { notifications } from './en/shell/notifications.ts';
import { hookOf } from './index.ts';

/** Loaded with the bell. */
export const useNotificationMessages = hookOf('notifications', notifications);
