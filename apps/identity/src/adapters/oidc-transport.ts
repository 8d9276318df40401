import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import CircuitBreaker from 'opossum';
import { Agent, fetch } from 'undici';

/** Thrown when a provider can't be reached in time, says itself that it can't answer now, or was found so a moment ago. */
export class ProviderUnavailable extends Error {
  constructor(provider: string, cause: unknown) {
    super(`the OpenID Connect provider ${provider} can't be reached`, { cause });
    this.name = 'ProviderUnavailable';
  }
}

/** What a provider says of itself, its keys and a token together are some kilobytes. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

/**
 * The way to one provider: kept connections, and a breaker, so that a provider which is down costs those who come next no
 * waiting. How long an exchange may take is the caller's to say, by its signal.
 */
export class OidcTransport {
  private readonly agent = new Agent({ connect: { timeout: 3_000 }, maxResponseSize: LARGEST_ANSWER_BYTES });
  private readonly breaker: CircuitBreaker<[string, CustomFetchOptions], Response>;

  constructor(private readonly provider: string) {
    this.breaker = new CircuitBreaker((url: string, options: CustomFetchOptions) => this.exchange(url, options), {
      name: `oidc ${provider}`,
      // opossum opens above a percentage, we open at it.
      errorThresholdPercentage: 49.999,
      volumeThreshold: 10,
      rollingCountTimeout: 10_000,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      resetTimeout: 5_000,
      timeout: false,
    });
  }

  readonly fetch: CustomFetch = async (url, options) => {
    try {
      return await this.breaker.fire(url, options);
    } catch (error) {
      throw new ProviderUnavailable(this.provider, error);
    }
  };

  async close(): Promise<void> {
    this.breaker.shutdown();
    await this.agent.destroy();
  }

  /** Read to its end in here: an answer that breaks off is a provider that can't be reached, and not one that says nonsense. */
  private async exchange(url: string, { method, headers, body, redirect, signal }: CustomFetchOptions): Promise<Response> {
    const sent = body instanceof URLSearchParams ? String(body) : (body as string | undefined);
    const answer = await fetch(url, { method, headers, redirect, body: sent, signal, dispatcher: this.agent });
    const { status } = answer;
    const received = await answer.arrayBuffer();
    if (status >= 500 || status === 429) throw new Error(`answered ${status}`);
    return new Response(received.byteLength > 0 ? received : null, { status, headers: [...answer.headers] });
  }
}
