import { moveChat } from '../../projects/project-queries.ts';

/** Loaded when the first chat is dropped outside of the projects. */
export const moveOut = (chatId: string): Promise<void> => moveChat(chatId, null);
