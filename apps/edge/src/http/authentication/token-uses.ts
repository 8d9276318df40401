import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';

/** The most tokens whose last use waits to be reported. */
const MOST_TOKENS = 10_000;
/** The most uses in one report, which is what identity accepts. */
const USES_AT_ONCE = 500;

/** The last use of each personal access token since the last report. */
@Injectable()
export class TokenUses {
  private uses = new Map<string, Instant>();

  constructor(private readonly calls: ServiceCalls) {}

  note(tokenId: string, at: Instant): void {
    if (this.uses.size < MOST_TOKENS || this.uses.has(tokenId)) this.uses.set(tokenId, at);
  }

  /** Reports the uses to identity. Uses that could not be reported are kept for the next call. Rejects with `service_unavailable`. */
  async report(): Promise<void> {
    const all = [...this.uses];
    this.uses = new Map();
    for (let from = 0; from < all.length; from += USES_AT_ONCE) {
      const uses = all.slice(from, from + USES_AT_ONCE).map(([token_id, at]) => ({ token_id, at: Instant.toSeconds(at) }));
      try {
        await this.calls.post('identity', '/internal/personal-tokens/uses', { uses }, HARMLESS);
      } catch (error) {
        for (const [tokenId, at] of all.slice(from)) if (!this.uses.has(tokenId)) this.note(tokenId, at);
        throw error;
      }
    }
  }
}
