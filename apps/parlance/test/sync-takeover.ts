import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patience, waitFor } from '@parlance/testing';

/** A lease is 30 s. */
export const TAKEN_OVER_WITHIN = patience(90_000);

/** A web site that answers requests for pages only after `release`. */
export async function heldPages() {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  let requested = 0;
  const site = createServer((request, response: ServerResponse) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    requested++;
    const answer = () =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`The lighthouse at ${request.url} is dark on Mondays.`);
    return isReleased ? answer() : waiting.push(answer);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return {
    urlOf: (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`,
    requested: (times: number) => waitFor(() => requested >= times, { what: `${times} page requests`, timeout: TAKEN_OVER_WITHIN }),
    release: () => {
      isReleased = true;
      for (const answer of waiting.splice(0)) answer();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        site.closeAllConnections();
        site.close(() => resolve());
      }),
  };
}
