import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { BlockHolder, type Closed, type Request } from './block-holder.ts';

/** An owner that lends these amounts one after another and then refuses. */
function owner(...amounts: number[]) {
  let now = 0;
  let made = 0;
  const requests: Request[] = [];
  const closed: Closed[] = [];
  const errors: Error[] = [];
  const holder = new BlockHolder<string>(
    {
      async lend(_, request) {
        requests.push(request);
        await new Promise((resolve) => setImmediate(resolve));
        const error = errors.shift();
        if (error) throw error;
        const amount = amounts.shift();
        if (amount === undefined) throw refuse('limited', 'budget_exceeded', 'Nothing is left.');
        return { block: `b${++made}`, amount, usableMillis: 45_000, facts: 'facts' };
      },
      async close(_, more) {
        const error = errors.shift();
        if (error) throw error;
        closed.push(...more);
      },
    },
    () => now,
  );
  return { holder, requests, closed, errors, pass: (millis: number) => (now += millis) };
}

describe('the holder of blocks', () => {
  it('borrows once for all concurrent takes, as much as they need together', async () => {
    const { holder, requests } = owner(40);
    const taken = await Promise.all([10, 10, 10, 10].map((amount) => holder.take('x', amount)));
    expect([taken.map(({ take }) => take.block), taken[0]!.facts]).toEqual([['b1', 'b1', 'b1', 'b1'], 'facts']);
    expect(requests).toEqual([{ needed: 10, wanted: 40, closed: [] }]);
  });
  it('borrows the next block when too little is left, and closes the first one with its uses', async () => {
    const { holder, requests } = owner(10, 10);
    (await holder.take('x', 6)).take.keep();
    (await holder.take('x', 4)).take.keep();
    await holder.take('x', 5);
    expect(requests[1]).toEqual({ needed: 5, wanted: 5, closed: [{ block: 'b1', uses: 2 }] });
  });
  it('closes a block only when the outcome of all its takes is known', async () => {
    const { holder, requests, closed } = owner(10, 10);
    const { take } = await holder.take('x', 6);
    await holder.take('x', 6);
    expect(requests[1]!.closed).toEqual([]);
    await holder.giveBack();
    expect(closed).toEqual([]);
    take.giveBack();
    await holder.giveBack();
    expect(closed).toEqual([{ block: 'b1', uses: 0 }]);
  });
  it('forgets a limit when its blocks are closed', async () => {
    const { holder, pass } = owner(10);
    const { take } = await holder.take('x', 6);
    pass(10 * 60_000);
    await holder.giveBack();
    expect(holder.size).toBe(1);
    take.keep();
    await holder.giveBack();
    expect(holder.size).toBe(0);
  });
  it('closes a block with an uncertain use without a number', async () => {
    const { holder, closed } = owner(10);
    (await holder.take('x', 6)).take.doubt();
    await holder.stop();
    expect(closed).toEqual([{ block: 'b1', uses: null }]);
  });
  it('passes a refusal to all waiting takes that need as much', async () => {
    const { holder, requests } = owner();
    const results = await Promise.allSettled([10, 10, 20].map((amount) => holder.take('x', amount)));
    expect([results.map(({ status }) => status), requests.length]).toEqual([['rejected', 'rejected', 'rejected'], 1]);
  });
  it('asks again for a take that needs less', async () => {
    const { holder, requests } = owner();
    await Promise.allSettled([10, 5].map((amount) => holder.take('x', amount)));
    expect(requests.map(({ needed }) => needed)).toEqual([10, 5]);
  });
  it('reports closed blocks again if it is unknown whether they were recorded', async () => {
    const { holder, requests, errors } = owner(10, 10);
    (await holder.take('x', 10)).take.keep();
    errors.push(refuse('unavailable', 'service_unavailable', 'The service cannot be reached.'));
    await expect(holder.take('x', 1)).rejects.toThrow('reached');
    await holder.take('x', 1);
    expect(requests.slice(1).map(({ closed }) => closed)).toEqual([[{ block: 'b1', uses: 1 }], [{ block: 'b1', uses: 1 }]]);
  });
  it('reports closed blocks once if the owner has refused the request', async () => {
    const { holder, requests } = owner(10);
    (await holder.take('x', 10)).take.keep();
    await expect(holder.take('x', 1)).rejects.toThrow('left');
    await expect(holder.take('x', 1)).rejects.toThrow('left');
    expect(requests.slice(1).map(({ closed }) => closed.length)).toEqual([1, 0]);
  });
  it('gives back idle blocks, even if another limit cannot be reached', async () => {
    const { holder, closed, errors, pass } = owner(10, 10);
    (await holder.take('x', 1)).take.keep();
    (await holder.take('y', 1)).take.keep();
    await holder.giveBack();
    expect(closed).toEqual([]);
    pass(5_000);
    errors.push(new Error('away'));
    await expect(holder.giveBack()).rejects.toThrow('away');
    expect(closed).toEqual([{ block: 'b2', uses: 1 }]);
    await holder.giveBack();
    expect(closed).toHaveLength(2);
  });
  it('does not use a block after its time', async () => {
    const { holder, pass, requests } = owner(10, 10);
    (await holder.take('x', 1)).take.keep();
    pass(45_000);
    expect((await holder.take('x', 1)).take.block).toBe('b2');
    expect(requests[1]!.closed).toEqual([{ block: 'b1', uses: 1 }]);
  });
});
