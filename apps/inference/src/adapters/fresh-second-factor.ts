import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';

/** Asks identity, which knows the sessions and the second factors. */
@Injectable()
export class FreshSecondFactor {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * Of the user of the current request. Throws the refusals `step_up_required` (forbidden), if the user has a second factor or needs one and has not proved it in this
   * session lately, and `service_unavailable` (unavailable).
   */
  async require(): Promise<void> {
    await this.calls.post('identity', '/internal/step-ups', {});
  }
}
