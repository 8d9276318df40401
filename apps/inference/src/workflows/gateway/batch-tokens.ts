import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Instant, Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { CallTerms } from '@parlance/observability';
import type { ModelCaller } from '../calls/allowed-models.ts';

/** What identity answers about a token. */
interface TokenAnswer {
  readonly user_id: string;
  readonly groups: readonly string[];
  readonly usable: boolean;
  readonly password_change_required: boolean;
  readonly scopes: readonly string[];
  readonly expires_at: number;
  readonly call_terms: CallTerms | null;
}

/** A revoked token begins no further request after this time. */
const FRESH_MILLIS = 2_000;

/** Thrown when the token of a batch may no longer call models. */
export class TokenEnded extends Error {
  constructor() {
    super('the token of a batch may no longer call models');
    this.name = 'TokenEnded';
  }
}

interface Known {
  readonly caller: ModelCaller;
  readonly expiresAt: Instant;
  readonly readAt: number;
}

/** The current terms of the token of one batch. */
export class BatchToken {
  private known: Known | null = null;
  private reading: Promise<Known> | null = null;

  constructor(
    private readonly token: Pick<ModelCaller, 'tokenId' | 'userId'>,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `TokenEnded`, and with a refusal (unavailable) if identity does not answer. */
  async caller(): Promise<ModelCaller> {
    let { known } = this;
    if (!known || this.clock.steady() - known.readAt >= FRESH_MILLIS) {
      this.reading ??= this.read().finally(() => (this.reading = null));
      known = this.known = await this.reading;
    }
    if (known.expiresAt <= this.clock.now()) throw new TokenEnded();
    return known.caller;
  }

  private async read(): Promise<Known> {
    const { tokenId, userId } = this.token;
    const readAt = this.clock.steady();
    const answer = await this.calls.get<TokenAnswer>('identity', `/internal/personal-tokens/${tokenId}`).catch((error: unknown) => {
      throw error instanceof Refusal && error.kind === 'missing' ? new TokenEnded() : error;
    });
    const { usable, password_change_required, scopes, call_terms: terms, groups, expires_at } = answer;
    if (!usable || password_change_required || !scopes.includes('models') || terms === null || answer.user_id !== userId)
      throw new TokenEnded();
    return { caller: { userId, tokenId, groups, terms }, expiresAt: Instant.ofSeconds(expires_at), readAt };
  }
}

/** Reads tokens of batches. */
@Injectable()
export class BatchTokens {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  of(token: Pick<ModelCaller, 'tokenId' | 'userId'>): BatchToken {
    return new BatchToken(token, this.calls, this.clock);
  }
}
