import { type Upload, Uploads } from './uploads.ts';

const file = (name: string) => ({ name, size: 10 }) as File;

/** Uploads that end when the test says so. */
function begin() {
  const open = new Map<string, { end: () => void; fail: () => void; signal: AbortSignal }>();
  const added: (readonly string[])[] = [];
  let list: readonly Upload[] = [];
  const uploads = new Uploads({
    send: ({ name }, _, signal) =>
      new Promise((resolve, reject) => {
        open.set(name, { end: resolve, fail: () => reject(new Error('It is too large.')), signal });
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    onSent: async (names) => void added.push(names),
    onChange: (next) => (list = next),
    reasonOf: (error) => (error as Error).message,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const states = () => list.map(({ file: { name }, state }) => `${name} ${state}`);
  return { uploads, open, added, settled, states, reasons: () => list.map(({ reason }) => reason) };
}

describe('uploads of files', () => {
  it('sends three files at the same time, and the next one when one is sent', async () => {
    const { uploads, open, settled, states } = begin();
    uploads.add(['a', 'b', 'c', 'd'].map(file));
    expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting']);
    open.get('b')!.end();
    await settled();
    expect(states()).toEqual(['a sending', 'b sent', 'c sending', 'd sending']);
  });

  it('changes the bot once for all files', async () => {
    const { uploads, open, added, settled } = begin();
    uploads.add(['a', 'b'].map(file));
    open.get('b')!.end();
    await settled();
    expect(added).toEqual([]);
    open.get('a')!.end();
    await settled();
    expect(added).toEqual([['b', 'a']]);
  });

  it('adds the sent files if another one fails, and retries the failed one on request', async () => {
    const { uploads, open, added, settled, states, reasons } = begin();
    uploads.add(['a', 'b'].map(file));
    open.get('a')!.fail();
    open.get('b')!.end();
    await settled();
    expect([states(), reasons(), added]).toEqual([['a failed', 'b sent'], ['It is too large.', ''], [['b']]]);
    uploads.retry(1);
    open.get('a')!.end();
    await settled();
    expect(added).toEqual([['b'], ['a']]);
  });

  it('clears only ended uploads', async () => {
    const { uploads, open, settled, states } = begin();
    uploads.add(['a', 'b', 'c', 'd', 'e'].map(file));
    open.get('a')!.end();
    open.get('b')!.fail();
    await settled();
    uploads.clear();
    expect(states()).toEqual(['c sending', 'd sending', 'e sending']);
    uploads.add([file('f')]);
    uploads.clear();
    expect(states()).toEqual(['c sending', 'd sending', 'e sending', 'f waiting']);
  });

  it('stops all uploads when the page is left, and adds the files that were sent', async () => {
    const { uploads, open, added, settled } = begin();
    uploads.add(['a', 'b'].map(file));
    open.get('a')!.end();
    await settled();
    uploads.stop();
    await settled();
    expect([open.get('b')!.signal.aborted, added]).toEqual([true, [['a']]]);
  });

  it('stops an upload that is removed from the list', async () => {
    const { uploads, open, added, settled, states } = begin();
    uploads.add([file('a')]);
    uploads.remove(1);
    await settled();
    expect([open.get('a')!.signal.aborted, states(), added]).toEqual([true, [], []]);
  });
});
