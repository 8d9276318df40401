import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { BotsModule } from './bots.module.ts';
import { namedObjects } from './adapters/named-indexes.ts';
import { schedule } from './schedule.ts';

export { type BotFault, BotRules } from './http/bot-rules.ts';

export const bots: Service = { name: 'bots', handlers, module: (host) => BotsModule.of(host), schedule, namedObjects };
