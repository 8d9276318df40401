import type { Caller } from '@parlance/observability';
import type { ServiceCalls } from './service-calls.ts';

/** Asks identity, which knows the sessions and the second factors. */
export class FreshSecondFactor {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * Of the user of the current request. Throws the refusals `step_up_required` (forbidden), if the user has a second factor or needs one and has not proved it in this
   * session lately, and `service_unavailable` (unavailable).
   */
  async require(): Promise<void> {
    await this.calls.post('identity', '/internal/step-ups', {});
  }

  /** The same, but not for personal access tokens: whoever created this one with the scope `exports:read` had to prove a second factor then. */
  async requireOfSession({ tokenId }: Caller): Promise<void> {
    if (tokenId === undefined) await this.require();
  }
}
