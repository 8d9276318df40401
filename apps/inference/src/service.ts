import type { Service } from '@parlance/service-kit';
import { InferenceModule } from './inference.module.ts';

export const inference: Service = { name: 'inference', module: (host) => InferenceModule.of(host) };
