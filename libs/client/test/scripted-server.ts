import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Script = (request: Received, answer: ServerResponse, requestNumber: number) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly received: Received[];
  /** Handles the next requests. */
  script: Script;
  stop(): Promise<void>;
}

/** A local server that answers as a test scripts it, and records the requests. */
export async function scriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const entry = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      received.push(entry);
      scripted.script(entry, answer, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    script: (_, answer) => json(answer, 404, { code: 'no_such_route', detail: 'The path is not known.' }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return scripted;
}

export function json(answer: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A refusal in the product's format. */
export const problem = (answer: ServerResponse, status: number, code: string, headers: Record<string, string> = {}): void =>
  json(answer, status, { status, code, detail: 'It is refused.', message: 'It is refused.' }, { 'x-request-id': 'r1', ...headers });
