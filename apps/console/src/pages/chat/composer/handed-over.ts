import { onSessionChange } from '../../../session/session-state.ts';
import type { Attachment } from './attachments.ts';

/**
 * Files that were attached to a new chat while its first message was being sent, by the ID of the chat, until its page is open. They are
 * removed when the session of their user ends.
 */
export const handedOver = new Map<string, readonly Attachment[]>();

onSessionChange(() => handedOver.clear());
