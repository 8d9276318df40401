import type { Config } from '@parlance/config';
import { IN_ONE_PROCESS, OVER_THE_NETWORK, type Terms } from '@parlance/revocation';

/** The terms between this process's owners and watchers of revocations. */
export const revocationTerms = ({ services, mongoUri }: Pick<Config, 'services' | 'mongoUri'>): Terms =>
  mongoUri === null && Object.keys(services).length === 0 ? IN_ONE_PROCESS : OVER_THE_NETWORK;
