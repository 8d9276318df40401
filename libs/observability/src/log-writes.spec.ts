import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { type Append, type EventStore, VersionConflict } from '@parlance/event-store';
import { LogWrites } from './log-writes.ts';

const what = { stream: 's', expected: 0, events: [{ type: 'Written' }] } as unknown as Append;

/** A log whose appends, and writes of more than `room` bytes, fail while `error` is set. */
function log() {
  const state = { error: null as Error | null, room: 0, written: true, probes: 0 };
  const write = async (bytes: number) => {
    if (state.error && bytes > state.room) throw state.error;
    return { written: state.written };
  };
  const store = {
    append: () => write(Infinity),
    loadSnapshot: async () => null,
    saveSnapshot: (_: string, snapshot: unknown) => (state.probes++, write(JSON.stringify(snapshot).length)),
  } as unknown as EventStore;
  return { state, store, writes: new LogWrites(store) };
}

describe('the check of whether a log can be written', () => {
  it('writes nothing as long as appends succeed', async () => {
    const { state, store, writes } = log();
    await store.append(what);
    await writes.check();
    expect(state.probes).toBe(0);
  });

  it('fails after an append that did not fit on the disk, until a write succeeds', async () => {
    const { state, store, writes } = log();
    state.error = new Error('disk full');
    await expect(store.append(what)).rejects.toThrow('disk full');
    await expect(writes.check()).rejects.toThrow('disk full');
    state.error = null;
    await writes.check();
    const { probes } = state;
    await writes.check();
    expect(state.probes).toBe(probes);
  });

  it('fails while there is only room for a change of a small record', async () => {
    const { state, store, writes } = log();
    Object.assign(state, { error: new Error('disk full'), room: 4_096 });
    await expect(store.append(what)).rejects.toThrow('disk full');
    await expect(writes.check()).rejects.toThrow('disk full');
  });

  it('still fails after a repeated append, which writes nothing', async () => {
    const { state, store, writes } = log();
    writes.failed();
    state.written = false;
    await store.append(what);
    state.error = new Error('disk full');
    await expect(writes.check()).rejects.toThrow('disk full');
  });

  it('is over after an append that was written', async () => {
    const { state, store, writes } = log();
    writes.failed();
    await store.append(what);
    await writes.check();
    expect(state.probes).toBe(0);
  });

  it('treats refusals and conflicts as answers of a working log', async () => {
    const { state, store, writes } = log();
    for (const error of [refuse('too_large', 'commit_too_large', 'The change is too large.'), new VersionConflict('s', 0)]) {
      state.error = error;
      await expect(store.append(what)).rejects.toBe(error);
      await writes.check();
    }
    expect(state.probes).toBe(0);
  });
});
