import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@parlance/testing';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { id: string; type: string; subject: string; data: Record<string, unknown>; [name: string]: unknown };
}

type Behaviour = (reply: ServerResponse, received: Received) => void;

export const answers =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (reply) =>
    void reply.writeHead(status, headers).end();

/** An endpoint of webhooks. The test sets the answer of each path. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const received = { path: request.url!, headers: request.headers, body, event: JSON.parse(body) as Received['event'] };
      this.received.push(received);
      (this.behaviours.get(received.path) ?? answers(204))(reply, received);
    });
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string, behaviour: Behaviour): void {
    this.behaviours.set(path, behaviour);
  }

  of(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** Waits until this many requests have arrived at a path. */
  async awaits(path: string, count: number): Promise<Received[]> {
    await waitFor(async () => this.of(path).length >= count, { what: `${count} requests to ${path}` });
    return this.of(path);
  }
}
