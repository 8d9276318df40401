import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NotDone } from '../../not-done.ts';
import { isMap } from '../source/fields.ts';

export type Answer = Readonly<Record<string, unknown>>;

/** Thrown when Parlance refuses a request. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'Refused';
  }
}

const TRIES = 8;
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_SECONDS = 120;
const TIMEOUT_MILLIS = 60_000;
const PAGE = 1_000;
/** The most entries of a list that are read. */
const MOST_ENTRIES = 500_000;

/** The public API, with the token of an administrator. Waits when the limit of requests is reached. */
export class AdminApi {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.call('POST', path, body, { 'idempotency-key': randomUUID() });
  }

  putNew(path: string, body: object): Promise<Answer> {
    return this.call('PUT', path, body, { 'if-none-match': '*' });
  }

  async delete(path: string): Promise<void> {
    await this.call('DELETE', path);
  }

  /** All entries of a list, page by page. */
  async *all(path: string, name: string): AsyncGenerator<Answer> {
    let next: unknown = null;
    let count = 0;
    do {
      const query = next === null ? '' : `&next_token=${encodeURIComponent(String(next))}`;
      const page = await this.get(`${path}?limit=${PAGE}${query}`);
      for (const entry of page[name] as readonly Answer[]) {
        if (++count > MOST_ENTRIES) throw new NotDone(`Parlance has more than ${MOST_ENTRIES} ${name}`);
        yield entry;
      }
      next = page['next_token'] ?? null;
    } while (next !== null);
  }

  private async call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.once(method, path, body, headers);
      if (answer.ok) return answer.body;
      // A passed limit of requests is no failure, so it does not count.
      if (answer.status === 429) tries--;
      else if (answer.status < 500 || tries === TRIES) throw refusedBy(answer);
      const seconds = answer.retryAfter ?? (FIRST_PAUSE_MILLIS * 2 ** (tries - 1)) / 1_000;
      await delay(Math.min(LONGEST_PAUSE_SECONDS, seconds) * 1_000);
    }
  }

  private async once(method: string, path: string, body: object | undefined, headers: Readonly<Record<string, string>>) {
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MILLIS),
        redirect: 'error',
      });
      const text = await response.text();
      const { ok, status } = response;
      return { ok, status, body: objectIn(text), retryAfter: Number(response.headers.get('retry-after')) || null };
    } catch {
      return { ok: false, status: 599, body: {}, retryAfter: null };
    }
  }
}

function objectIn(text: string): Answer {
  try {
    const value = JSON.parse(text) as unknown;
    return isMap(value) ? value : {};
  } catch {
    return {};
  }
}

function refusedBy({ status, body }: { readonly status: number; readonly body: Answer }): Error {
  if (status === 599) return new NotDone('Parlance cannot be reached: check --url. Run the same command again to continue');
  if (status === 401)
    return new NotDone('Parlance does not accept the token of --token-file. Sign in again, and run the same command to continue');
  const [code, detail] = [String(body['code'] ?? status), String(body['detail'] ?? `Parlance answered ${status}.`)];
  if (code === 'token_not_allowed')
    return new NotDone('keys are imported with the access token of a session, as POST /auth/sign-in returns it');
  if (['step_up_required', 'scope_missing', 'group_required'].includes(code)) return new NotDone(detail);
  if (status >= 500) return new NotDone(`${detail} Run the same command again to continue`);
  return new Refused(status, code, detail);
}
