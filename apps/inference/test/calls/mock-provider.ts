import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ProviderRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A provider that answers calls as each test says, and keeps them. */
export class MockProvider {
  readonly requests: ProviderRequest[] = [];
  respond: (res: ServerResponse, request: ProviderRequest) => unknown = (res) => json(res, 200, { choices: [] });

  private constructor(private readonly server: Server) {}

  static async open(): Promise<MockProvider> {
    const server = createServer();
    const provider = new MockProvider(server);
    server.on('request', (req, res: ServerResponse) => {
      void text(req).then((body) => {
        const request = { path: req.url ?? '', headers: req.headers, body };
        provider.requests.push(request);
        return provider.respond(res, request);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export function json(res: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export const events = (...each: readonly object[]): string => each.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

export function beginEvents(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
}
