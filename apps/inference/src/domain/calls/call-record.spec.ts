import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import {
  type BegunCall,
  callRecord,
  callRecordId,
  type CallOutcome,
  type CallRecordCommand,
  type CallRecordEvent,
  partsOfCallRecordId,
} from './call-record.ts';

const given = specify(callRecord);
const noon = Instant.ofSeconds(1_800_000_000);
const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const most = { ...usage, outputTokens: 100, estimated: true };
const call = (callId: string, begunAt = noon): BegunCall => ({
  callId,
  tokenId: 't',
  userId: 'u',
  endpoint: 'chat/completions',
  model: 'm',
  begunAt,
  reserved: { usage: most, costNanoDollars: 1_000 },
});
const outcome = (callId: string, costNanoDollars = 7): CallOutcome => ({
  callId,
  status: 'completed',
  httpStatus: 200,
  usage,
  costNanoDollars,
  firstByteMillis: 1,
  millis: 2,
});
const record = (begun: readonly BegunCall[], ended: readonly CallOutcome[] = [], at = noon): CallRecordCommand => ({
  type: 'Record',
  at,
  begun,
  ended,
});
const begun = (...calls: readonly BegunCall[]): CallRecordEvent => ({ type: 'CallsBegun', calls });
const completed = ({ reserved: _, ...facts }: BegunCall, ended: CallOutcome): CallRecordEvent => ({
  type: 'CallCompleted',
  ...facts,
  ...ended,
});
const settle = (at: Instant, silentMillis = 30_000): CallRecordCommand => ({ type: 'Settle', at, silentMillis });
const closed: CallRecordEvent = { type: 'CallRecordClosed' };

describe('the record of calls', () => {
  it('has each call when it begins, and its cost when it ends', () => {
    given()
      .when(record([call('a'), call('b')]))
      .emits(begun(call('a'), call('b')));
    given(begun(call('a'), call('b')))
      .when(record([], [outcome('b')]))
      .emits(completed(call('b'), outcome('b')));
  });
  it('has a call that ends as it begins', () =>
    given()
      .when(record([call('a')], [outcome('a')]))
      .emits(begun(call('a')), completed(call('a'), outcome('a'))));
  it('has each call once, however often it is recorded', () =>
    given(begun(call('a')))
      .when(record([call('a')], [outcome('a'), outcome('a', 9)]))
      .emits(completed(call('a'), outcome('a'))));
  it('ignores the outcome of a call that is not open', () =>
    given()
      .when(record([], [outcome('a')]))
      .emits());
  it('is removed from the lists once, and not while it has open calls', () => {
    const expired: CallRecordEvent = { type: 'CallRecordExpired' };
    const ended = [begun(call('a')), completed(call('a'), outcome('a'))];
    given(begun(call('a')))
      .when({ type: 'Expire' })
      .emits();
    given(...ended)
      .when({ type: 'Expire' })
      .emits(expired);
    given(...ended, expired)
      .when({ type: 'Expire' })
      .emits();
    given(...ended, expired)
      .when(record([call('b')]))
      .refuses('calls_settled');
  });
  it('charges the reserved amount of calls whose process is silent', () =>
    given(begun(call('a')))
      .when(settle(Instant.plus(noon, 30_000)))
      .emits(
        completed(call('a'), {
          callId: 'a',
          status: 'unsettled',
          httpStatus: null,
          usage: most,
          costNanoDollars: 1_000,
          firstByteMillis: null,
          millis: 30_000,
        }),
        closed,
      ));
  it('settles many calls in several commits, the later ones at once', () => {
    const calls = Array.from({ length: 450 }, (_, index) => call(`${index}`));
    let state = fold(callRecord, [begun(...calls)]);
    const charges: number[] = [];
    for (const at of [30_000, 30_001, 30_002, 30_003]) {
      const events = callRecord.decide(settle(Instant.plus(noon, at)), state) as readonly CallRecordEvent[];
      charges.push(events.filter(({ type }) => type === 'CallCompleted').length);
      state = fold(callRecord, events, state);
    }
    expect([charges, state.isClosed]).toEqual([[200, 200, 50, 0], true]);
  });
  it.each<[string, CallRecordEvent[]]>([
    ['has begun a call', [begun(call('a'))]],
    ['has renewed its calls', [begun(call('a', Instant.plus(noon, -90_000))), { type: 'CallsContinued', at: noon }]],
    [
      'has ended a call',
      [
        begun(call('a', Instant.plus(noon, -90_000)), call('b', Instant.plus(noon, -2))),
        completed(call('b', Instant.plus(noon, -2)), outcome('b')),
      ],
    ],
  ])('settles nothing while a process %s recently', (_, history) =>
    given(...history)
      .when(settle(Instant.plus(noon, 29_999)))
      .emits(),
  );
  it('charges nothing twice: after that, the process can neither end nor begin a call', () => {
    const settled = [begun(call('a')), completed(call('a'), outcome('a')), closed] as const;
    given(...settled)
      .when(record([], [outcome('a')]))
      .emits();
    given(...settled)
      .when(settle(Instant.plus(noon, 90_000)))
      .emits();
    given(...settled)
      .when(record([call('b')]))
      .refuses('calls_settled');
  });
  it('is renewed while it has open calls', () => {
    given(begun(call('a')))
      .when({ type: 'Renew', at: noon })
      .emits({ type: 'CallsContinued', at: noon });
    given().when({ type: 'Renew', at: noon }).emits();
  });
  it('names its token, its hour and its process', () =>
    expect(partsOfCallRecordId(callRecordId('t', '2026-11-29T06', 'r'))).toEqual({ tokenId: 't', hour: '2026-11-29T06', run: 'r' }));

  it('charges every begun call exactly once: its first outcome, or the reserved amount', () => {
    const id = fc.nat(20).map(String);
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ begin: fc.array(id, { maxLength: 3 }), end: fc.array(fc.tuple(id, fc.nat(99)), { maxLength: 3 }) }),
      },
      { weight: 1, arbitrary: fc.constant('settle' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = fold(callRecord, []);
        const expected = new Map<string, number | null>();
        const charged = new Map<string, number>();
        let isClosed = false;
        let now = noon;
        const ever = new Set<string>();
        for (const each of [...steps, 'settle' as const]) {
          now = Instant.plus(now, 1_000);
          // IDs of calls are never used again.
          const news = each === 'settle' ? [] : [...new Set(each.begin)].filter((callId) => !ever.has(callId));
          const command =
            each === 'settle'
              ? settle(now, 0)
              : record(
                  news.map((callId) => call(callId, now)),
                  each.end.map(([callId, cost]) => outcome(callId, cost)),
                  now,
                );
          const decision = callRecord.decide(command, state);
          if (decision instanceof Refusal) {
            expect([isClosed, news.length > 0]).toEqual([true, true]);
            continue;
          }
          if (each === 'settle') isClosed = true;
          else {
            for (const callId of news) {
              ever.add(callId);
              expected.set(callId, null);
            }
            for (const [callId, cost] of each.end) if (!isClosed && expected.get(callId) === null) expected.set(callId, cost);
          }
          for (const event of decision) {
            if (event.type !== 'CallCompleted') continue;
            expect(charged.has(event.callId)).toBe(false);
            charged.set(event.callId, event.costNanoDollars);
          }
          state = fold(callRecord, decision, state);
          if (isClosed) for (const [callId, cost] of expected) if (cost === null) expected.set(callId, 1_000);
        }
        expect(Object.keys(state.open)).toEqual([]);
        expect([...charged].toSorted()).toEqual([...expected].toSorted());
      }),
    );
  });
});
