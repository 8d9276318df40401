import { serviceBus } from '@parlance/foundation';

export const { aggregate, handlers, query } = serviceBus('publication');
