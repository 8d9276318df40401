import { serviceBus } from '@parlance/foundation';

export const { aggregate, handlers } = serviceBus('edge');
