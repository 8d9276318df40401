import type { Service } from '@parlance/service-kit';
import { BotsModule } from './bots.module.ts';

export const bots: Service = { name: 'bots', module: (host) => BotsModule.of(host) };
