import type { Caller } from '@parlance/observability';
import { HARMLESS, type ServiceCalls } from './service-calls.ts';

/** Asks identity, which stores the sessions and the second factors. */
export class FreshSecondFactor {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * Requires a recent second factor of the user of the current request. Throws the refusals `step_up_required` (forbidden), if the user has or
   * needs a second factor and has not recently proved it in this session, and `service_unavailable` (unavailable).
   */
  async require(): Promise<void> {
    await this.calls.post('identity', '/internal/step-ups', {}, HARMLESS);
  }

  /** Like `require`, but accepts personal access tokens: creating one with the scope `exports:read` already requires a second factor. */
  async requireOfSession({ tokenId }: Caller): Promise<void> {
    if (tokenId === undefined) await this.require();
  }
}
