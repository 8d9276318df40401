import { aggregate } from '@parlance/foundation';
import { bot, botStream } from '../domain/bot.ts';
import { shelf, shelfStream } from '../domain/shelf.ts';

export const ExecuteBot = aggregate('ExecuteBot', bot, botStream);
export const ExecuteShelf = aggregate('ExecuteShelf', shelf, shelfStream);
