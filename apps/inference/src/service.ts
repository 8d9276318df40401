import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { InferenceModule } from './inference.module.ts';
import { schedule } from './schedule.ts';

export { ImportRules } from './workflows/imports/import-rules.ts';

export const inference: Service = { name: 'inference', handlers, module: (host) => InferenceModule.of(host), schedule };
