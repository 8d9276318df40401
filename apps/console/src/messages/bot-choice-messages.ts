import { botChoice } from './en/chat/bot-choice.ts';
import { hookOf } from './index.ts';

/** The texts of the lists from which a bot is chosen, loaded with the first of them. */
export const useBotChoiceMessages = hookOf('botChoice', botChoice);
