import { serviceBus } from '@parlance/foundation';

export const { aggregate, handlers, query, queryWith, singleAggregate } = serviceBus('bots');
