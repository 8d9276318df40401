import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Config } from '@parlance/config';
import { Clock, revocationTerms } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { RevocationWatcher, SystemTime } from '@parlance/revocation';
import { SessionStreams } from '../http/authentication/session-streams.ts';
import { ServiceRevocations } from './service-revocations.ts';

/**
 * Tracks what identity has revoked, ends the streams of revoked sessions, and forgets the keys of erased users. An erasure is answered only
 * after every edge has seen its revocation, because the event of the erasure reaches only one edge.
 */
@Injectable()
export class IdentityRevocationWatcher extends RevocationWatcher {
  constructor(calls: ServiceCalls, vault: Vault, streams: SessionStreams, clock: Clock, config: Config) {
    super(new ServiceRevocations(calls, 'identity'), {
      time: new SystemTime(clock),
      terms: revocationTerms(config),
      onRevoked: (key) => {
        streams.end(key);
        return vault.forget(key);
      },
    });
  }
}
