import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { type Append, type EventStore, VersionConflict } from '@parlance/event-store';
import { watchWrites } from './log-writes.ts';

const what = { stream: 's', expected: 0, events: [{ type: 'Written' }] } as unknown as Append;

/** A log whose writes fail while `error` is set. */
function log() {
  const state = { error: null as Error | null, probes: 0 };
  const write = async () => {
    if (state.error) throw state.error;
  };
  const store = { append: write, saveSnapshot: () => (state.probes++, write()) } as unknown as EventStore;
  return { state, store, check: watchWrites(store) };
}

describe('the check of whether a log can be written', () => {
  it('writes nothing as long as appends succeed', async () => {
    const { state, store, check } = log();
    await store.append(what);
    await check();
    expect(state.probes).toBe(0);
  });

  it('fails after an append that did not fit on the disk, until a write succeeds', async () => {
    const { state, store, check } = log();
    state.error = new Error('disk full');
    await expect(store.append(what)).rejects.toThrow('disk full');
    await expect(check()).rejects.toThrow('disk full');
    state.error = null;
    await check();
    await check();
    expect(state.probes).toBe(2);
  });

  it('takes refusals and conflicts for answers of a log that works', async () => {
    const { state, store, check } = log();
    for (const error of [refuse('too_large', 'commit_too_large', 'The change is too large.'), new VersionConflict('s', 0)]) {
      state.error = error;
      await expect(store.append(what)).rejects.toBe(error);
      await check();
    }
    expect(state.probes).toBe(0);
  });
});
