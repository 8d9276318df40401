import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallerStatement, CallerStatements } from '@parlance/http';
import type { HttpTargets } from '@parlance/calls/http-targets';
import { waitFor } from '@parlance/testing';
import { statements } from './forward.contract.ts';
import { HttpForward } from './forward-http.ts';
import { cleanUp, edgeBy, edgeWith, replica, targetsOf } from './replicas.contract.ts';
import type { Forwarded } from './service-forward.ts';

beforeAll(() => Logger.overrideLogger(false));

afterEach(cleanUp);

const fine: RequestListener = async (request, response) => {
  const body = await text(request);
  setImmediate(() => response.end(JSON.stringify({ got: body })));
};
const cutOff: RequestListener = (request) => request.socket.destroy();
const closed = 'http://127.0.0.1:9';

/** Starts an edge in front of these addresses, and returns a function that sends requests to it. */
const edgeBefore = (...addresses: string[]) => edgeWith({ silentAfter: 60_000 }, ...addresses);

/** Reports requests that were never sent. */
class Reporting extends HttpForward {
  constructor(
    targets: HttpTargets,
    signed: CallerStatements,
    private readonly onNeverSent: () => void,
  ) {
    super(targets, signed);
  }

  override forward(service: string, forwarded: Forwarded, statement: CallerStatement): void {
    super.forward(service, { ...forwarded, onNeverSent: this.onNeverSent }, statement);
  }
}

describe('forwarding to several replicas', () => {
  it('uses the replicas in turn', async () => {
    const [one, two] = [await replica(fine), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    for (let index = 0; index < 6; index++) await ask();
    expect([one.asked, two.asked]).toEqual([3, 3]);
  });

  it('loses none of 200 GETs when a replica is killed meanwhile', async () => {
    const [one, two] = [await replica(fine), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    const answers: number[] = [];
    const client = async () => {
      while (answers.length < 200) answers.push((await ask()).status);
    };
    const killed = (async () => {
      while (one.asked < 40) await new Promise(setImmediate);
      one.kill();
    })();
    await Promise.all([killed, ...Array.from({ length: 8 }, client)]);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(one.asked).toBeLessThan(two.asked);
  });

  it('sends a POST with its body to another replica if one refuses the connection', async () => {
    const ask = await edgeBefore(closed, (await replica(fine)).address);
    const body = 'x'.repeat(200_000);
    for (let index = 0; index < 4; index++) expect(await (await ask({ method: 'POST', body })).json()).toEqual({ got: body });
  });

  it('does not repeat a POST that may have arrived', async () => {
    const [one, two] = [await replica(cutOff), await replica(cutOff)];
    const ask = await edgeBefore(one.address, two.address);
    const answer = await ask({ method: 'POST', body: 'once' });
    expect([answer.status, one.asked + two.asked]).toEqual([503, 1]);
    expect((await ask({ method: 'POST' })).status).toBe(503);
    expect(one.asked + two.asked).toBe(2);
  });

  it('repeats a PUT only without a body, because a body has been read', async () => {
    const [one, two] = [await replica(cutOff), await replica(cutOff)];
    const ask = await edgeBefore(one.address, two.address);
    expect((await ask({ method: 'PUT', body: 'once' })).status).toBe(503);
    expect(one.asked + two.asked).toBe(1);
    expect((await ask({ method: 'PUT' })).status).toBe(503);
    expect(one.asked + two.asked).toBe(3);
  });

  it('reports requests that no service has received, and no others', async () => {
    const isNeverSent = async (address: string) => {
      const onNeverSent = jest.fn();
      const ask = await edgeBy(new Reporting(targetsOf([address]), statements, onNeverSent));
      expect((await ask({ method: 'POST', body: 'once' })).status).toBe(503);
      return onNeverSent.mock.calls.length === 1;
    };
    expect([await isNeverSent(closed), await isNeverSent((await replica(cutOff)).address)]).toEqual([true, false]);
  });

  it('sends no second request if its attempt is given up at the moment in which the answer begins', async () => {
    const goneOn = Promise.withResolvers<void>();
    const only = await replica((_, response) => {
      response.write('answer');
      void goneOn.promise.then(() => response.end());
    });
    const targets = targetsOf([only.address]);
    const { replicas } = targets.named('bots');
    const asks = replicas.ask.bind(replicas);
    replicas.ask = async (mayRepeat, send) => {
      await asks(mayRepeat, send);
      return asks(mayRepeat, send).finally(goneOn.resolve);
    };
    const ask = await edgeBy(new HttpForward(targets, statements));
    expect([await (await ask()).text(), only.asked]).toEqual(['answer', 1]);
  });

  it('answers that the outcome of a lost command is unknown, and how to repeat it', async () => {
    const { address } = await replica(cutOff);
    const [ask, askToCreate] = [await edgeBefore(address), await edgeWith({ silentAfter: 60_000, newId: 'b-1' }, address)];
    const lost = async (by: typeof ask, headers: Record<string, string> = {}) => {
      const answer = await by({ method: 'POST', body: 'once', headers });
      const { code, look_up, repeat_with } = (await answer.json()) as Record<string, unknown>;
      return { code, look_up, repeat_with, retry: answer.headers.get('x-should-retry') };
    };
    const keyed = { 'idempotency-key': 'k-1' };
    const notRepeatable = { code: 'outcome_unknown', look_up: '/', repeat_with: undefined, retry: 'false' };
    expect(await lost(askToCreate)).toEqual(notRepeatable);
    expect(await lost(askToCreate, keyed)).toEqual({ ...notRepeatable, repeat_with: 'k-1', retry: 'true' });
    // The key of a request that creates nothing is not remembered.
    expect(await lost(ask, keyed)).toEqual(notRepeatable);
    const read = await ask();
    expect(await read.json()).toMatchObject({ code: 'service_unavailable' });
  });

  it('does not repeat a request whose answer has begun', async () => {
    const begins: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setImmediate(() => request.socket.destroy());
    };
    const [one, two] = [await replica(begins), await replica(begins)];
    const answer = await (await edgeBefore(one.address, two.address))();
    await expect(answer.text()).rejects.toThrow();
    expect(one.asked + two.asked).toBe(1);
  });

  it('answers 503 if all replicas are down', async () => {
    const [one, two] = [await replica(fine), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    await ask();
    one.kill();
    two.kill();
    for (const method of ['GET', 'POST']) {
      const answer = await ask({ method });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'service_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('forwarding to a replica that accepts connections and does not respond', () => {
  const frozen: RequestListener = () => undefined;
  /** Slow, but it responds to other requests. */
  const slow: RequestListener = ({ url }, response) => {
    if (url === '/health/live') response.end('{}');
    else setTimeout(() => response.end('late'), 700);
  };
  const patience = { silentAfter: 50, givenUpAfter: 0 };

  it('repeats reads at another replica, and leaves the first one out until it responds', async () => {
    let isFrozen = true;
    const thaws: RequestListener = (request, response) => (isFrozen ? undefined : fine(request, response));
    const [one, two] = [await replica(thaws), await replica(fine)];
    const ask = await edgeWith(patience, one.address, two.address);
    for (let index = 0; index < 2; index++) expect((await ask()).status).toBe(200);
    for (let index = 0; index < 6; index++) await ask();
    expect([one.asked, two.asked]).toEqual([1, 8]);
    isFrozen = false;
    await waitFor(async () => (await ask(), one.asked > 1), { what: 'the replica to be used again' });
  });

  it.each([
    ['cuts the connection', async () => (await replica(cutOff)).address],
    ['refuses the connection', async () => closed],
  ])('gets a read back if it is only slow and the other replica %s', async (_, other) => {
    // The first question for a sign of life gets no answer.
    let questions = 0;
    const overloaded: RequestListener = ({ url }, response) => {
      if (url === '/health/live') return questions++ === 0 ? undefined : void response.end();
      setTimeout(() => response.end('late'), 1_000);
    };
    const one = await replica(overloaded);
    const ask = await edgeWith(patience, one.address, await other());
    for (let index = 0; index < 2; index++) {
      const answer = await ask();
      expect([answer.status, await answer.text()]).toEqual([200, 'late']);
    }
    expect(questions).toBeGreaterThan(0);
  });

  it('is left out by a process that had no request for it since it froze', async () => {
    let isFrozen = false;
    const freezes: RequestListener = (request, response) => (isFrozen ? undefined : fine(request, response));
    const [one, two] = [await replica(freezes), await replica(fine)];
    const ask = await edgeWith({ silentAfter: 60_000, lookEvery: 50 }, one.address, two.address);
    for (let index = 0; index < 2; index++) await ask();
    isFrozen = true;
    const { questions } = one;
    await waitFor(() => one.questions > questions + 1, { what: 'the second question, after the first was not answered' });
    for (let index = 0; index < 4; index++) expect((await ask()).status).toBe(200);
    expect([one.asked, two.asked]).toEqual([1, 5]);
  });

  it('is left as soon as it is known to be silent', async () => {
    const [one, two] = [await replica(frozen), await replica(fine)];
    const silentAfter = 3_000;
    const ask = await edgeWith({ silentAfter, lookEvery: 50 }, one.address, two.address);
    const since = performance.now();
    for (let index = 0; index < 2; index++) expect((await ask()).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(1.8 * silentAfter);
    expect(one.asked).toBe(1);
  });

  it('gives up a command, whose outcome is unknown then', async () => {
    const [one, two] = [await replica(frozen), await replica(frozen)];
    const ask = await edgeWith(patience, one.address, two.address);
    const answer = await ask({ method: 'POST', body: 'once' });
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'outcome_unknown' })]);
    expect(one.asked + two.asked).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['freezes', frozen],
    ['breaks the connection', ({ socket }) => void socket.destroy()],
  ])('does not repeat a DELETE at another replica, where there would be nothing left, when the first one %s', async (_, lose) => {
    const [one, two] = [await replica(lose), await replica(lose)];
    const ask = await edgeWith(patience, one.address, two.address);
    const answer = await ask({ method: 'DELETE' });
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'outcome_unknown' })]);
    expect(one.asked + two.asked).toBe(1);
  });

  it('breaks off an answer after two questions that its replica does not answer, and not while it is only silent', async () => {
    let isFrozen = false;
    const stream: RequestListener = ({ url }, response) => {
      if (url === '/health/live') return isFrozen ? undefined : void response.end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    };
    const [one, two] = [await replica(stream), await replica(stream)];
    const answer = await (await edgeWith({}, one.address, two.address))();
    await waitFor(() => one.questions + two.questions >= 3, { what: 'questions to the silent replica' });
    isFrozen = true;
    const answered = one.questions + two.questions;
    await expect(answer.text()).rejects.toThrow('terminated');
    expect(one.questions + two.questions - answered).toBeLessThanOrEqual(4);
  });

  it('waits for a slow replica', async () => {
    const [one, two] = [await replica(slow), await replica(slow)];
    const ask = await edgeWith(patience, one.address, two.address);
    for (const method of ['GET', 'POST']) expect(await (await ask({ method })).text()).toBe('late');
    expect(one.asked + two.asked).toBe(2);
  });
});

describe('forwarding to a single address', () => {
  it('repeats a GET if the service closed the kept-alive connection', async () => {
    const seen = new Set<unknown>();
    const only = await replica((request, response) => {
      if (seen.has(request.socket)) return void request.socket.destroy();
      seen.add(request.socket);
      response.end();
    });
    const ask = await edgeBefore(only.address);
    for (let index = 0; index < 3; index++) expect((await ask()).status).toBe(200);
  });

  it('does not repeat a request that may have crashed the service', async () => {
    const only = await replica(cutOff);
    expect((await (await edgeBefore(only.address))()).status).toBe(503);
    expect(only.asked).toBe(1);
  });
});
