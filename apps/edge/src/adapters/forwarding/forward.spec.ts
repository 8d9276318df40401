import { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallerStatement } from '@parlance/http';
import { type Forwarded, ServiceForward } from './service-forward.ts';
import { contractEdge, contractService, forwardCases, type ForwardRig, statements } from './forward.contract.ts';
import { HttpForward } from './forward-http.ts';
import { LocalForward } from './forward-in-process.ts';
import { LocalServices } from '@parlance/calls';
import { HttpTargets } from '@parlance/calls/http-targets';

beforeAll(() => Logger.overrideLogger(false));

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Wrap = (forward: ServiceForward) => ServiceForward;
const asItIs: Wrap = (forward) => forward;

async function overHttp(wrap = asItIs): Promise<ForwardRig> {
  const events = new EventEmitter();
  const service = contractService(events);
  await service.listen({ port: 0, host: '127.0.0.1' });
  const targets = new HttpTargets({ bots: `http://127.0.0.1:${(service.server.address() as AddressInfo).port}` });
  const stopService = () => {
    service.server.closeAllConnections();
    return service.close();
  };
  cleanups.push(stopService);
  const edge = await edgeOf(wrap(new HttpForward(targets, statements)));
  cleanups.push(() => targets.close(10));
  return { ...edge, events, stopService };
}

async function inProcess(wrap = asItIs): Promise<ForwardRig> {
  const events = new EventEmitter();
  const service = contractService(events);
  const services = new LocalServices();
  await services.enter('bots', service);
  const edge = await edgeOf(wrap(new LocalForward(services, statements)));
  return { ...edge, events, stopService: async () => services.leave('bots') };
}

async function edgeOf(forward: ServiceForward) {
  const edge = contractEdge(forward, 'bots');
  await edge.listen({ port: 0, host: '127.0.0.1' });
  cleanups.push(() => {
    edge.server.closeAllConnections();
    return edge.close();
  });
  const { server } = edge;
  return { server, port: (server.address() as AddressInfo).port };
}

describe.each([
  ['in the process', inProcess],
  ['over HTTP', overHttp],
])('forwarding %s', (_, rig) => {
  it.each(forwardCases.map((forwardCase) => [forwardCase.name, forwardCase] as const))('%s', async (__, { run }) => run(await rig()));
});

abstract class Sabotaged extends ServiceForward {
  /** `never` is called when an event that a test may wait for will not happen. */
  constructor(
    protected readonly inner: ServiceForward,
    protected readonly never: (reason: Error) => void,
  ) {
    super();
  }
}

/** Accepts a statement about the caller from the client. */
class Gullible extends Sabotaged {
  override forward(service: string, forwarded: Forwarded, statement: CallerStatement): void {
    const claimed = forwarded.req.headers['x-parlance-caller'];
    this.inner.forward(service, forwarded, claimed === undefined ? statement : { ...statement, sub: String(claimed) });
  }
}

/** Does not notify the service when its client leaves. */
class Deaf extends Sabotaged {
  override forward(service: string, forwarded: Forwarded, statement: CallerStatement): void {
    const { res } = forwarded;
    const on = res.on.bind(res);
    on('close', () => res.writableFinished || this.never(new Error('the service is never notified that its client has gone')));
    res.on = ((name: string, listener: () => void) => (name === 'close' ? res : on(name, listener))) as typeof res.on;
    this.inner.forward(service, forwarded, statement);
  }
}

describe('the contract of forwarding', () => {
  it.each([
    ['believes a forged statement', Gullible, 'lets no client state'],
    ['leaves streams running', Deaf, 'forwards a stream'],
  ])('catches an adapter that %s', async (_, Broken, caught) => {
    const failed: string[] = [];
    for (const { name, run } of forwardCases) {
      if (/^(streams large|disconnects)/.test(name)) continue;
      const never = Promise.withResolvers<never>();
      const rig = await overHttp((forward) => new Broken(forward, never.reject));
      await Promise.race([run(rig), never.promise]).catch(() => failed.push(name));
    }
    expect(failed).toEqual([expect.stringContaining(caught)]);
  });
});

describe('forwarding to a service that keeps failing', () => {
  it('stops trying, and its breaker shows it', async () => {
    const targets = new HttpTargets({ bots: 'http://127.0.0.1:9' }, { atLeast: 4 });
    cleanups.push(() => targets.close(10));
    const { port } = await edgeOf(new HttpForward(targets, statements));
    for (let index = 0; index < 5; index++) expect((await fetch(`http://127.0.0.1:${port}/who`)).status).toBe(503);
    expect(targets.breakers()).toEqual([expect.objectContaining({ name: 'bots', state: 'open' })]);
  });
});
