import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Config } from '@parlance/config';
import { Clock, revocationTerms } from '@parlance/foundation';
import { RevocationWatcher, SystemTime } from '@parlance/revocation';
import { PublishedStreams } from '../http/published/published-streams.ts';
import { DeploymentProbe } from './deployment-probe.ts';
import { ServiceRevocations } from './service-revocations.ts';

/** The prefix of revocations of addresses. A deployment revokes what edges remember about its address. */
const ADDRESS = 'address:';

/** Tracks which copies of published APIs and keys are no longer valid, ends their streams, and probes the address of each new deployment. */
@Injectable()
export class PublicationRevocationWatcher extends RevocationWatcher {
  constructor(calls: ServiceCalls, probe: DeploymentProbe, streams: PublishedStreams, clock: Clock, config: Config) {
    super(new ServiceRevocations(calls, 'publication'), {
      time: new SystemTime(clock),
      terms: revocationTerms(config),
      onRevoked: (key, isNews) => {
        // This is not awaited, because a check calls the publication service, which may be waiting for this edge.
        void streams.revoked(key);
        // An edge that has just started remembers nothing, so it need not probe the deployments of the last hours.
        return isNews && key.startsWith(ADDRESS) ? probe.run(key.slice(ADDRESS.length)) : undefined;
      },
    });
  }
}
