import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { TargetOptions } from '@parlance/calls/http-targets';
import { type CallerStatement, type Leaving, LEAVING_HEADER } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import { statements } from './forward.contract.ts';
import { HttpForward } from './forward-http.ts';
import { LONGEST_KEPT_BODY } from './kept-body.ts';
import { cleanUp, edgeBy, replica, targetsOf } from './replicas.contract.ts';
import type { Forwarded } from './service-forward.ts';

beforeAll(() => Logger.overrideLogger(false));

afterEach(cleanUp);

const fine: RequestListener = async (request, response) => response.end(JSON.stringify({ got: await text(request) }));
/** Refuses each request before it reads the body, as a process does whose notice is over. */
const refusing: RequestListener = (_, response) => {
  const headers = { connection: 'close', [LEAVING_HEADER]: 'refused' satisfies Leaving, 'content-type': 'application/problem+json' };
  response.writeHead(503, headers).end(JSON.stringify({ code: 'shutting_down' }));
};
/** Forwards requests that were received whole, as the edge does. */
class Whole extends HttpForward {
  override forward(service: string, forwarded: Forwarded, statement: CallerStatement): void {
    const received = async () => {
      while (!forwarded.req.complete) await new Promise(setImmediate);
    };
    void received().then(() => super.forward(service, forwarded, statement));
  }
}
const edgeWith = (options: TargetOptions, ...addresses: string[]) => edgeBy(new Whole(targetsOf(addresses, options), statements));
/** Does not find a replica that is about to end by a question. */
const edgeBefore = (...addresses: string[]) => edgeWith({ silentAfter: 60_000, lookEvery: 60 * 60_000 }, ...addresses);

describe('forwarding to a replica that is about to end', () => {
  it.each([
    ['GET', undefined],
    ['DELETE', undefined],
    ['POST', undefined],
    ['POST', 'once'],
    ['PUT', 'x'.repeat(LONGEST_KEPT_BODY)],
  ])('passes a %s that it refuses over to another replica, and leaves it out after that', async (method, body) => {
    const [one, two] = [await replica(refusing), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    for (let index = 0; index < 6; index++) {
      const answer = await ask({ method, ...(body !== undefined && { body }) });
      expect([answer.status, await answer.json()]).toEqual([200, { got: body ?? '' }]);
      expect(answer.headers.has(LEAVING_HEADER)).toBe(false);
    }
    expect([one.asked, two.asked]).toEqual([1, 6]);
  });

  it('passes a refusal of a longer body on, because the body is not kept', async () => {
    const [one, two] = [await replica(refusing), await replica(refusing)];
    const ask = await edgeBefore(one.address, two.address);
    const answer = await ask({ method: 'POST', body: 'x'.repeat(LONGEST_KEPT_BODY + 1) });
    expect([answer.status, await answer.json(), one.asked + two.asked]).toEqual([503, { code: 'shutting_down' }, 1]);
  });

  it('sends a body on whole of which only a part has arrived', async () => {
    const { address } = await replica(fine);
    const rest = Promise.withResolvers<void>();
    /** Forwards as soon as the first part has arrived. */
    class Early extends HttpForward {
      override forward(service: string, forwarded: Forwarded, statement: CallerStatement): void {
        const begun = async () => {
          while (forwarded.req.readableLength === 0) await new Promise(setImmediate);
          super.forward(service, forwarded, statement);
          rest.resolve();
        };
        void begun();
      }
    }
    const ask = await edgeBy(new Early(targetsOf([address]), statements));
    const parts = async function* () {
      yield Buffer.from('one, ');
      await rest.promise;
      yield Buffer.from('two');
    };
    const answer = await ask({ method: 'POST', body: ReadableStream.from(parts()), duplex: 'half' } as RequestInit);
    expect(await answer.json()).toEqual({ got: 'one, two' });
  });

  it('asks each replica once if all are about to end', async () => {
    const [one, two] = [await replica(refusing), await replica(refusing)];
    const ask = await edgeBefore(one.address, two.address);
    const answer = await ask({ method: 'POST', body: 'once' });
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'service_unavailable' })]);
    expect([one.asked, two.asked]).toEqual([1, 1]);
  });

  it('does not deny the effect of a DELETE that one replica may have received, when the other one refuses it', async () => {
    const lost = await replica((request) => request.socket.destroy());
    const leaving = await replica(refusing);
    for (const addresses of [
      [lost.address, leaving.address],
      [leaving.address, lost.address],
    ]) {
      const answer = await (await edgeBefore(...addresses))({ method: 'DELETE' });
      expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'outcome_unknown' })]);
    }
    expect([lost.asked, leaving.asked]).toEqual([2, 1]);
  });

  it('finds another replica at the same address, with another connection', async () => {
    let asked = 0;
    const both = await replica((request, response) => (++asked % 2 === 1 ? refusing : fine)(request, response));
    const answer = await (await edgeBefore(both.address))({ method: 'POST', body: 'once' });
    expect([await answer.json(), asked]).toEqual([{ got: 'once' }, 2]);
  });

  it('leaves it out once it has announced its end, until it no longer does', async () => {
    let isLeaving = true;
    const announcing: RequestListener = (request, response) => {
      if (isLeaving) response.setHeader(LEAVING_HEADER, 'soon' satisfies Leaving);
      return fine(request, response);
    };
    const [one, two] = [await replica(announcing), await replica(fine)];
    const ask = await edgeWith({ silentAfter: 60_000, lookEvery: 50 }, one.address, two.address);
    for (let index = 0; index < 6; index++) {
      const answer = await ask({ method: 'POST', body: 'once' });
      expect([answer.status, answer.headers.has(LEAVING_HEADER)]).toEqual([200, false]);
    }
    expect(one.asked).toBeLessThanOrEqual(1);
    // What it has carried out is not sent to the other one.
    expect(one.asked + two.asked).toBe(6);
    isLeaving = false;
    await waitFor(async () => (await ask(), one.asked > 1), { what: 'the replica to be used again' });
  });
});
