import { aggregate } from '@parlance/foundation';
import { bot, botStream } from '../domain/bot.ts';

export const ExecuteBot = aggregate('ExecuteBot', bot, botStream);
