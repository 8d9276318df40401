import type { Service } from '@parlance/foundation';
import { BotsModule } from './bots.module.ts';

export const bots: Service = { name: 'bots', module: (host) => BotsModule.of(host) };
