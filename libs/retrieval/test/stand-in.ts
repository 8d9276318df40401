import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, other values as JSON. */
  readonly body?: unknown;
}

export type Responder = (request: Received) => Answer | 'break' | 'hang';

/** A local HTTP server that replaces a service, and remembers the requests. */
export class StandIn {
  readonly received: Received[] = [];
  respond: Responder = () => ({ status: 500 });
  private readonly server: Server;
  private readonly waiting: (() => void)[] = [];

  private constructor() {
    this.server = createServer((request, response) => {
      void json(request).then((body) => this.answer(response, { path: request.url!, headers: request.headers, body: body as never }));
    });
  }

  static async open(): Promise<StandIn> {
    const made = new StandIn();
    made.server.listen(0, '127.0.0.1');
    await once(made.server, 'listening');
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(response: ServerResponse, request: Received): void {
    this.received.push(request);
    const answer = this.respond(request);
    for (const resolve of this.waiting.splice(0)) resolve();
    if (answer === 'hang') return;
    if (answer === 'break') {
      response.destroy();
      return;
    }
    const { status = 200, headers = {}, body = {} } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}
