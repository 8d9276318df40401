import { serviceBus } from '@parlance/foundation';

export const { aggregate, commandWith, handlers, query, queryWith } = serviceBus('analytics');
