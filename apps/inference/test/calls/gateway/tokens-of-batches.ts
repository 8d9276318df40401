import { Instant } from '@parlance/decider';
import type { ServiceUnderTest } from '@parlance/foundation/harness';

type Local = ReturnType<ServiceUnderTest['host']['local']['named']>;
interface Call {
  readonly url: string;
}

/** What identity answers about tokens. Other calls reach the stand-in of the harness. */
export class TokensOfBatches {
  private readonly tokens = new Map<string, { readonly userId: string; readonly terms: object }>();

  async enter({ host }: ServiceUnderTest): Promise<void> {
    const other = host.local.named('identity') as unknown as { inject(call: Call): Promise<object> };
    const inject = async (call: Call) => {
      const [, tokenId] = /^\/internal\/personal-tokens\/(\w+)$/.exec(call.url) ?? [];
      if (tokenId === undefined) return other.inject(call);
      const token = this.tokens.get(tokenId);
      return token ? answered(200, this.answer(token)) : answered(404, { code: 'token_not_found', detail: 'There is no such token.' });
    };
    await host.local.enter('identity', { ready: async () => undefined, inject } as unknown as Local);
  }

  add(tokenId: string, userId: string, terms: object = {}): void {
    this.tokens.set(tokenId, { userId, terms });
  }

  revoke(tokenId: string): void {
    this.tokens.delete(tokenId);
  }

  private answer({ userId, terms }: { readonly userId: string; readonly terms: object }) {
    const none = {
      models: [],
      requests_per_minute: null,
      tokens_per_minute: null,
      max_parallel_requests: null,
      cost_centre: null,
      tags: {},
    };
    return {
      user_id: userId,
      groups: [],
      usable: true,
      password_change_required: false,
      scopes: ['models'],
      expires_at: Instant.toSeconds(Instant.ofMillis(Date.now())) + 10 * 365 * 86_400,
      call_terms: { ...none, ...terms },
    };
  }
}

const answered = (statusCode: number, body: object) => ({
  statusCode,
  headers: { 'content-type': statusCode < 400 ? 'application/json' : 'application/problem+json' },
  body: JSON.stringify(body),
  payload: JSON.stringify(body),
});
