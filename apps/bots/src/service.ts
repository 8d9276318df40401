import type { Service } from '@parlance/foundation';
import { BotsModule } from './bots.module.ts';
import { schedule } from './schedule.ts';

export { type BotFault, BotRules } from './http/bot-rules.ts';

export const bots: Service = { name: 'bots', module: (host) => BotsModule.of(host), schedule };
