import type { Service } from '@parlance/foundation';
import { InferenceModule } from './inference.module.ts';

export const inference: Service = { name: 'inference', module: (host) => InferenceModule.of(host) };
