import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { GuardedFetch } from '../src/guarded-fetch.ts';
import { serve, type TestServer } from './servers.ts';

export const BOUNDS = { maxBytes: 100_000, timeoutMillis: 20_000 };
export const HOST = '127.0.0.9';

interface Received {
  readonly method?: string;
  readonly url?: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Two servers that record their requests and answer as a spec defines, and a client that may call them. */
export class FetchRig {
  server!: TestServer;
  other!: TestServer;
  guarded!: GuardedFetch;
  received: Received[] = [];
  answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};

  async start(): Promise<void> {
    const listener = async (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      this.received.push({ method: request.method, url: request.url, headers: request.headers, body });
      this.answer(request, response);
    };
    this.server = await serve((request, response) => void listener(request, response));
    this.other = await serve((request, response) => void listener(request, response), '127.0.0.10');
  }
  async stop(): Promise<void> {
    await this.server.stop();
    await this.other.stop();
  }
  renew(): void {
    this.received = [];
    this.answer = (_, response) => response.end('fine');
    this.guarded = new GuardedFetch({ allowedPrivateRanges: [`${HOST}/32`, '127.0.0.10/32'] });
  }

  readonly get = (path = '/', request = {}) => this.guarded.fetch(`${this.server.origin}${path}`, { ...BOUNDS, ...request });
  readonly text = async (path = '/', request = {}) => (await this.get(path, request)).text(1_000_000);
  readonly redirect = (routes: Record<string, [number, string]>): void => {
    this.answer = (request, response) => {
      const [status, location] = routes[request.url ?? ''] ?? [200, ''];
      if (status === 200) response.end(`at ${request.url}`);
      else response.writeHead(status, { location }).end();
    };
  };
}
