import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpTargets, type TargetOptions } from '@parlance/calls/http-targets';
import { contractEdge, statements } from './forward.contract.ts';
import { HttpForward } from './forward-http.ts';
import type { ServiceForward } from './service-forward.ts';

const cleanups: (() => unknown)[] = [];

/** Stops the replicas and edges of a test. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** One process of a service. `kill` closes its connections as kill -9 would. */
export async function replica(answer: RequestListener) {
  const state = { asked: 0, questions: 0, address: '', kill: () => {} };
  const server = createServer((request, response) => {
    if (request.url === '/health/live') state.questions++;
    else state.asked++;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.kill = () => {
    server.close();
    server.closeAllConnections();
  };
  cleanups.push(state.kill);
  return state;
}

export function targetsOf(addresses: string[], options?: TargetOptions): HttpTargets {
  const targets = new HttpTargets({ bots: addresses }, options);
  cleanups.push(() => targets.close(10));
  return targets;
}

/** Starts an edge in front of these addresses, and returns a function that sends requests to it. */
export function edgeWith({ newId, ...options }: TargetOptions & { readonly newId?: string }, ...addresses: string[]) {
  return edgeBy(new HttpForward(targetsOf(addresses, options), statements), newId);
}

/** As `edgeWith`, for an edge that forwards in another way. */
export async function edgeBy(forward: ServiceForward, newId?: string) {
  const edge = contractEdge(forward, 'bots', newId);
  await edge.listen({ port: 0, host: '127.0.0.1' });
  cleanups.push(() => {
    edge.server.closeAllConnections();
    return edge.close();
  });
  const { port } = edge.server.address() as AddressInfo;
  return (init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}/`, init);
}
