import { chatExport } from './en/chat/export.ts';
import { groupOf } from './index.ts';

/** The texts of an exported chat, loaded when a chat is exported. */
export const chatExportMessages = groupOf('chatExport', chatExport);
