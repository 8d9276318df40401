import type { Service } from '@parlance/foundation';
import { PublicationModule } from './publication.module.ts';
import { schedule } from './schedule.ts';

export const publication: Service = { name: 'publication', module: (host) => PublicationModule.of(host), schedule };
