import { chatActions } from './en/chat/actions.ts';
import { hookOf } from './index.ts';

/** The texts of a chat's menu and its dialogs, loaded with the first open menu. */
export const useChatActionMessages = hookOf('chatActions', chatActions);
