import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import CircuitBreaker from 'opossum';
import { Agent, fetch } from 'undici';

/** Thrown when a provider does not answer in time, answers 429 or 5xx, or its circuit breaker is open. */
export class ProviderUnavailable extends Error {
  constructor(provider: string, cause: unknown) {
    super(`the OpenID Connect provider ${provider} can't be reached`, { cause });
    this.name = 'ProviderUnavailable';
  }
}

/** Metadata, keys and tokens of a provider have a few kilobytes. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

/**
 * HTTP to one provider, with persistent connections and a circuit breaker: while the provider is down, requests fail at once.
 * The caller's signal limits the time of a request.
 */
export class OidcTransport {
  private readonly agent = new Agent({ connect: { timeout: 3_000 }, maxResponseSize: LARGEST_ANSWER_BYTES });
  private readonly breaker: CircuitBreaker<[string, CustomFetchOptions], Response>;

  constructor(private readonly provider: string) {
    this.breaker = new CircuitBreaker((url: string, options: CustomFetchOptions) => this.exchange(url, options), {
      name: `oidc ${provider}`,
      // opossum opens above this percentage, so this opens the breaker at 50.
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

  /** Reads the whole answer, so that a broken connection counts as an unavailable provider, not as an invalid answer. */
  private async exchange(url: string, { method, headers, body, redirect, signal }: CustomFetchOptions): Promise<Response> {
    const sent = body instanceof URLSearchParams ? String(body) : (body as string | undefined);
    const answer = await fetch(url, { method, headers, redirect, body: sent, signal, dispatcher: this.agent });
    const { status } = answer;
    const received = await answer.arrayBuffer();
    if (status >= 500 || status === 429) throw new Error(`answered ${status}`);
    return new Response(received.byteLength > 0 ? received : null, { status, headers: [...answer.headers] });
  }
}
