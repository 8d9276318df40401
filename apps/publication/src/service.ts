import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { PublicationModule } from './publication.module.ts';
import { schedule } from './schedule.ts';

export const publication: Service = { name: 'publication', handlers, module: (host) => PublicationModule.of(host), schedule };
