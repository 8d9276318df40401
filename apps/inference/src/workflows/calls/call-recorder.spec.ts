import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import { MAX_COMMIT_BYTES } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import type { BegunCall, CallOutcome, CallRecordCommand } from '../../domain/calls/call-record.ts';
import { CallRecorder } from './call-recorder.ts';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const begun = (callId: string): BegunCall => ({
  callId,
  tokenId: 't',
  userId: 'ann',
  endpoint: 'messages',
  model: 'm',
  begunAt: Instant.ofSeconds(0),
  reserved: { usage, costNanoDollars: 9 },
});
const outcome = (callId: string): CallOutcome => ({
  callId,
  status: 'completed',
  httpStatus: 200,
  usage,
  costNanoDollars: 1,
  firstByteMillis: 1,
  millis: 1,
});

/** A recorder whose appends fail with these errors first. */
function recorderFailing(...errors: unknown[]) {
  const appends: { readonly id: string; readonly begun: readonly string[]; readonly ended: readonly string[] }[] = [];
  const ids: string[] = [];
  const settled: string[] = [];
  let isClosed = false;
  const execute = async ({ id, command }: { id: string; command: CallRecordCommand }) => {
    const result = { written: false, events: [] as object[], state: { isClosed } };
    if (command.type === 'Settle') settled.push(id);
    if (command.type !== 'Record') return result;
    const callsOf = (calls: readonly { readonly callId: string }[]) => calls.map(({ callId }) => callId);
    ids.push(id);
    appends.push({ id, begun: callsOf(command.begun), ended: callsOf(command.ended) });
    if (errors.length > 0) throw errors.shift();
    if (!isClosed) result.events = command.ended.map(({ callId }) => ({ event: { type: 'CallCompleted', callId } }));
    return result;
  };
  // As rows that lag behind.
  const rows = async () => ({ rows: ids.map((record_id) => ({ record_id, open: 1 })), next: null });
  const config = { mongoUri: null } as Config;
  const recorder = new CallRecorder({ execute } as unknown as CommandBus, { execute: rows } as unknown as QueryBus, new Clock(), config);
  const close = () => void (isClosed = true);
  return { recorder, appends, settled, close, fail: (...more: unknown[]) => errors.push(...more) };
}

const LONG = '\u0001'.repeat(64);
const tags = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}`.padEnd(64, LONG), LONG]));

describe('the recorder of calls', () => {
  it('records calls that begin or end at the same time in one append', async () => {
    const { recorder, appends } = recorderFailing();
    const [id] = await Promise.all(['a', 'b', 'c'].map((call) => recorder.begin(begun(call))));
    await Promise.all([recorder.end(id!, outcome('a')), recorder.begin(begun('d')), recorder.end(id!, outcome('b'))]);
    expect(appends.map(({ begun: began, ended }) => [began, ended])).toEqual([
      [['a', 'b', 'c'], []],
      [['d'], ['a', 'b']],
    ]);
    expect(recorder.hasNoOpenCalls).toBe(false);
  });
  it('repeats the append of an outcome until it succeeds, and then keeps nothing', async () => {
    const { recorder, appends, fail } = recorderFailing();
    const id = await recorder.begin(begun('a'));
    fail(new Error('away'), new Error('away'));
    await recorder.end(id, outcome('a'));
    expect(appends.map(({ ended }) => ended)).toEqual([[], ['a'], ['a'], ['a']]);
    await setImmediate();
    expect(recorder.hasNoOpenCalls).toBe(true);
  });
  it('says whether the outcome counts, or another process has settled the call before', async () => {
    const { recorder, close } = recorderFailing();
    const id = await recorder.begin(begun('a'));
    await recorder.begin(begun('b'));
    expect(await recorder.end(id, outcome('a'))).toBe(true);
    close();
    expect(await recorder.end(id, outcome('b'))).toBe(false);
  });
  it('refuses a call whose beginning may not be recorded, and ends it for free', async () => {
    const { recorder, appends } = recorderFailing(new Error('away'));
    await expect(recorder.begin(begun('a'))).rejects.toThrow('away');
    await recorder.end(await recorder.begin(begun('b')), outcome('b'));
    expect(appends.flatMap(({ ended }) => ended)).toEqual(['a', 'b']);
    await setImmediate();
    expect(recorder.hasNoOpenCalls).toBe(true);
  });
  it('puts no more calls into an append than a commit can have, whatever their tags', async () => {
    const { recorder, appends } = recorderFailing();
    const calls = Array.from({ length: 1_000 }, (_, index) => ({ ...begun(`${index}`), model: 'm'.repeat(200), costCentre: LONG, tags }));
    await Promise.all(calls.map(async (call) => recorder.end(await recorder.begin(call), outcome(call.callId))));
    const bytes = Buffer.byteLength(JSON.stringify(calls[0]));
    const most = Math.max(...appends.map(({ begun: began, ended }) => began.length + ended.length));
    expect(most * bytes).toBeLessThan(MAX_COMMIT_BYTES);
  });
  it('does not take itself for a lost process', async () => {
    const { recorder, settled } = recorderFailing();
    await recorder.end(await recorder.begin(begun('a')), outcome('a'));
    await setImmediate();
    await recorder.settleLost();
    expect(settled).toEqual([]);
  });
  it('continues in another record when its record was settled', async () => {
    const settled = refuse('unavailable', 'calls_settled', 'Again.');
    const { recorder, appends } = recorderFailing(settled);
    await expect(recorder.begin(begun('a'))).rejects.toBe(settled);
    await recorder.begin(begun('b'));
    expect(appends.find(({ begun: began }) => began[0] === 'b')?.id).not.toBe(appends[0]?.id);
  });
});
