import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lists models as a provider does. A test sets its answer. */
export class ListingProvider {
  readonly seen: IncomingHttpHeaders[] = [];
  answer: { status: number; body: string } = { status: 200, body: '{"data":[]}' };
  private readonly server: Server = createServer((asked, reply) => {
    this.seen.push(asked.headers);
    reply.writeHead(this.answer.status, { 'content-type': 'application/json' }).end(this.answer.body);
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
