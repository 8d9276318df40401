import { boundedFetch } from './bounded-fetch.ts';
import { failureOfStatus, RemoteRefused } from './failures.ts';

/** POSTs JSON and reads JSON. Throws `RemoteUnavailable`, `RemoteRefused`, `AnswerTooLarge` or the error of `fetch`. */
export class JsonCalls {
  private readonly fetch: typeof globalThis.fetch;

  constructor(
    private readonly label: string,
    mostBytes: number,
  ) {
    this.fetch = boundedFetch(mostBytes);
  }

  async post(url: string, body: object, token: string | null, signal: AbortSignal): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const answer = await this.fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const failure = failureOfStatus(this.label, answer.status, answer.headers.get('retry-after'));
    if (failure !== null) throw failure;
    try {
      return await answer.json();
    } catch {
      throw new RemoteRefused(this.label, 'its answer is not JSON');
    }
  }
}
