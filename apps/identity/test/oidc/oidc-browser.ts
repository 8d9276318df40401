import type { Server } from 'node:http';
import request from 'supertest';

export const publicBaseUrl = 'https://parlance.example.org';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/** The parts of a browser that a sign-in needs: it keeps cookies by host and path, and follows the provider's redirects. */
export class Browser {
  private cookies: Cookie[] = [];

  /** `who`: the account that is signed in at the provider; null refuses everything there. `accept`: the header for Parlance. */
  constructor(
    private readonly server: Server,
    private readonly who: string | null,
    private readonly accept = 'application/json',
  ) {}

  /** Completes a sign-in. Returns the answer of the callback. */
  async signIn(provider: string, query = '') {
    return this.get(await this.authorise(provider, query));
  }

  /** Signs in at the provider. Returns the path of the callback with its query, before it is called. */
  async authorise(provider: string, query = ''): Promise<string> {
    const { headers } = await this.get(`/auth/oidc/${provider}/start${query}`);
    return this.follow(String(headers['location']));
  }

  /** A request to Parlance. */
  async get(path: string) {
    const pending = request(this.server).get(path).redirects(0).set('accept', this.accept);
    const cookie = this.cookieFor(new URL(path, publicBaseUrl));
    const answer = await (cookie === '' ? pending : pending.set('cookie', cookie));
    this.keep(new URL(path, publicBaseUrl), [answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  async follow(start: string): Promise<string> {
    for (let next = new URL(start), hop = 0; hop < 10; hop++) {
      if (next.origin === publicBaseUrl) return next.pathname + next.search;
      const signedInCookie = this.who === null ? '' : `who=${this.who}; `;
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie: signedInCookie + this.cookieFor(next) } });
      this.keep(next, answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${next.pathname} does not redirect: ${answer.status} ${await answer.text()}`);
      next = new URL(location, next);
    }
    throw new Error('too many redirects');
  }

  cookieNamed(name: string): string | undefined {
    return this.cookies.find((cookie) => cookie.name === name)?.value;
  }

  /** Sets a cookie to a given value, as if it came from another browser. */
  plant(name: string, value: string): void {
    this.keep(new URL(publicBaseUrl), [`${name}=${value}; Path=/`]);
  }

  private cookieFor({ host, pathname }: URL): string {
    const fitting = this.cookies.filter((cookie) => cookie.host === host && pathname.startsWith(cookie.path));
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  private keep({ host }: URL, setCookies: readonly string[]): void {
    for (const text of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      const path = /; ?path=([^;]+)/i.exec(text)?.[1] ?? '/';
      this.cookies = this.cookies.filter((cookie) => !(cookie.name === name && cookie.host === host && cookie.path === path));
      if (value !== '') this.cookies.push({ name, value, host, path });
    }
  }
}
