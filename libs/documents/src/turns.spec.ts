import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SLICE_MILLIS } from './limits.ts';
import { type Turn, type TurnRequest, Turns } from './turns.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Turns with a clock that the test controls. */
function turns(places: number) {
  let now = 0;
  const begun: string[] = [];
  const running = new Map<string, Turn>();
  const all = new Turns(places, () => now);
  const signal = new AbortController().signal;
  return {
    begun,
    running,
    ask: (name: string, request: Partial<TurnRequest> = {}) => {
      const [account = name] = name.split('.');
      const turn = all.next({ account, bytes: 10, isLarge: false, signal, ...request });
      return turn.then((granted) => {
        begun.push(name);
        running.set(name, granted);
      });
    },
    end: async (name: string, millis: number) => {
      now += millis;
      running.get(name)!.end();
      running.delete(name);
      await settled();
    },
  };
}

describe('turns of files', () => {
  it('alternate between accounts, regardless of the number of their files', async () => {
    const { ask, begun, end } = turns(1);
    for (const name of ['ann.1', 'ann.2', 'ann.3', 'ben.1', 'cid.1', 'ben.2']) void ask(name);
    await settled();
    for (let index = 0; index < 6; index++) await end(begun[index]!, SLICE_MILLIS);
    expect(begun).toEqual(['ann.1', 'ben.1', 'cid.1', 'ann.2', 'ben.2', 'ann.3']);
  });
  it('come less often for an account whose files take longer', async () => {
    const { ask, begun, end } = turns(1);
    for (const name of ['ann.1', 'ann.2', 'ben.1', 'ben.2', 'ben.3']) void ask(name);
    await settled();
    await end('ann.1', 2.5 * SLICE_MILLIS);
    for (let index = 1; index < 5; index++) await end(begun[index]!, SLICE_MILLIS);
    expect(begun).toEqual(['ann.1', 'ben.1', 'ben.2', 'ben.3', 'ann.2']);
  });
  it('go to the smallest file first if accounts are equally entitled', async () => {
    const { ask, begun, end } = turns(1);
    void ask('ann');
    void ask('ben', { bytes: 200_000 });
    void ask('cid', { bytes: 10 });
    await settled();
    await end('ann', 1);
    expect(begun).toEqual(['ann', 'cid']);
  });
  it('leave one slot to small files', async () => {
    const { ask, begun, end } = turns(2);
    void ask('ann', { isLarge: true });
    void ask('ben', { isLarge: true });
    void ask('cid');
    await settled();
    expect(begun).toEqual(['ann', 'cid']);
    await end('cid', 1);
    expect(begun).toEqual(['ann', 'cid']);
    await end('ann', 1);
    expect(begun).toEqual(['ann', 'cid', 'ben']);
  });
  it('end early for a file that turns out to be large, if small files wait and the slot for large files is taken', async () => {
    const { ask, running, end } = turns(2);
    void ask('ann', { isLarge: true });
    void ask('ben');
    await settled();
    expect(running.get('ben')!.mayBeLarge()).toBe(true);
    void ask('cid');
    expect(running.get('ben')!.mayBeLarge()).toBe(false);
    await end('ann', 1);
    expect([...running.keys()]).toEqual(['ben', 'cid']);
    expect(running.get('ben')!.mayBeLarge()).toBe(true);
    void ask('dan', { isLarge: true });
    await end('cid', 1);
    expect([...running.keys()]).toEqual(['ben']);
  });
  it('treat all files of an account as large for a minute after its small file turned out to be large', async () => {
    const { ask, running, end } = turns(2);
    void ask('ann', { isLarge: true });
    void ask('ben.1');
    void ask('cid.1');
    await settled();
    expect(running.get('ben.1')!.mayBeLarge()).toBe(false);
    await end('ben.1', SLICE_MILLIS);
    await end('cid.1', 1);
    void ask('ben.2');
    void ask('dan', { bytes: 100_000 });
    await settled();
    expect([...running.keys()]).toEqual(['ann', 'dan']);
    await end('ann', 60_000);
    await end('ben.2', 1);
    void ask('eva', { isLarge: true });
    void ask('fay', { isLarge: true });
    await end('dan', 1);
    void ask('ben.3');
    await settled();
    expect([...running.keys()]).toEqual(['eva', 'ben.3']);
  });
  it("are refused after a file's maximum wait, and when its signal is aborted", async () => {
    const { ask, begun, end } = turns(1);
    void ask('ann');
    const [tooLong, controller] = [ask('ben', { waitMillis: 1 }), new AbortController()];
    const aborted = ask('cid', { signal: controller.signal });
    await expect(tooLong).rejects.toMatchObject({ name: 'DocumentReaderBusy' });
    controller.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    await end('ann', 1);
    expect(begun).toEqual(['ann']);
  });
  it('come for every file, and never for more files than there are slots', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(
          fc.record({ account: fc.integer({ min: 0, max: 3 }), isLarge: fc.boolean(), millis: fc.integer({ min: 0, max: 5_000 }) }),
          {
            minLength: 1,
            maxLength: 20,
          },
        ),
        async (places, files) => {
          const { ask, begun, end, running } = turns(places);
          for (const [index, { account, isLarge }] of files.entries()) void ask(`${account}.${index}`, { isLarge });
          for (await settled(); running.size > 0;) {
            expect(running.size).toBeLessThanOrEqual(places);
            const [name] = running.keys();
            await end(name!, files[Number(name!.split('.')[1])]!.millis);
          }
          expect(begun).toHaveLength(files.length);
        },
      ),
    ));
});
