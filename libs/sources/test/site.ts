import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Site {
  readonly origin: string;
  /** Requested paths in order, without robots.txt. */
  readonly asked: string[];
  /** The content of each path. Other paths are 404. */
  routes: Record<string, Answer>;
  stop(): Promise<void>;
}

export const page = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
export const links = (...hrefs: readonly string[]) => page(hrefs.map((href) => `<a href="${href}">a</a>`).join(''));

/** A site on a loopback address. */
export async function site(host = '127.0.0.1'): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    if (url !== '/robots.txt') asked.push(url);
    const answer = result.routes[url];
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { 'content-type': contentType(url) }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const result: Site = {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    asked,
    routes: {},
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return result;
}

function contentType(url: string): string {
  if (url.endsWith('.txt')) return 'text/plain';
  if (url.includes('.xml')) return 'application/xml';
  return url.endsWith('.png') ? 'image/png' : 'text/html; charset=utf-8';
}
