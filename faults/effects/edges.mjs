// The edges of a cluster as a load balancer uses them: requests of one administrator, who signs in again before the access token ends.
import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '../../libs/testing/dist/patience.js';
import { admin } from '../scenarios/cluster-client.mjs';

/** A third of the time for which an access token is valid. */
const RENEWED_AFTER_MS = 600_000;
const AGAIN_AFTER_MS = 500;

export class Edges {
  #token = null;
  #signedInAt = 0;
  #signingIn = null;

  constructor(urls) {
    this.urls = urls;
  }

  /** Sends one request to one edge. `status` is null without a complete answer; `code` is then the error. */
  async ask(edge, method, path, body, headers = {}) {
    const token = await this.#currentToken();
    return this.#send(edge, method, path, body, { authorization: `Bearer ${token}`, ...headers });
  }

  /** Repeats a query at both edges until it is answered with 200. For the time after the load. */
  async read(path) {
    const until = Date.now() + patience(120_000);
    for (let edge = 0; ; edge = (edge + 1) % this.urls.length) {
      const { status, code, body } = await this.ask(edge, 'GET', path);
      if (status === 200) return body;
      if (Date.now() > until) throw new Error(`GET ${path} was answered with ${status} ${code}`);
      await pause(AGAIN_AFTER_MS);
    }
  }

  /** All items of a list, page by page. */
  async all(path, name) {
    const items = [];
    let next = '';
    do {
      const page = await this.read(`${path}${path.includes('?') ? '&' : '?'}limit=1000${next}`);
      items.push(...page[name]);
      next = page.next_token === null ? '' : `&next_token=${encodeURIComponent(page.next_token)}`;
    } while (next !== '');
    return items;
  }

  async #send(edge, method, path, body, headers) {
    const begun = Date.now();
    try {
      const answer = await fetch(`${this.urls[edge]}${path}`, {
        method,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        signal: AbortSignal.timeout(patience(60_000)),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const parsed = text === '' ? {} : JSON.parse(text);
      return { status: answer.status, code: parsed.code, body: parsed, millis: Date.now() - begun };
    } catch ({ name, cause }) {
      return { status: null, code: cause?.code ?? cause?.message ?? name, body: {}, millis: Date.now() - begun };
    }
  }

  async #currentToken() {
    if (this.#token !== null && Date.now() - this.#signedInAt < RENEWED_AFTER_MS) return this.#token;
    this.#signingIn ??= this.#signIn().finally(() => (this.#signingIn = null));
    return this.#signingIn;
  }

  async #signIn() {
    const until = Date.now() + patience(120_000);
    for (let edge = 0; ; edge = (edge + 1) % this.urls.length) {
      const { status, code, body } = await this.#send(edge, 'POST', '/auth/sign-in', admin, {});
      if (status === 200) {
        this.#signedInAt = Date.now();
        return (this.#token = body.access_token);
      }
      if (Date.now() > until) throw new Error(`the sign-in was answered with ${status} ${code}`);
      await pause(AGAIN_AFTER_MS);
    }
  }
}
