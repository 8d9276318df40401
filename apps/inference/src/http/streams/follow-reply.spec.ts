import type { QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { waitFor } from '@parlance/testing';
import type { OtherReplicas } from '../../adapters/other-replicas.ts';
import { beginningOf, idOf, positionIn, type StreamPosition, type PositionedEvent, streamEvent } from '../../adapters/stream-events.ts';
import type { MessageRow } from '../../projections/messages/message-rows.ts';
import { WorkerOf } from '../../projections/messages/pending-replies.ts';
import { LiveReplies } from '../../workflows/live-replies.ts';
import type { OpenedRound } from '../../workflows/tools/opened-rounds.ts';
import type { OpenedMessages } from '../opened-messages.ts';
import { FollowReply } from './follow-reply.ts';

const [ONE, TWO] = ['01K0000000000000000000000A', '01K0000000000000000000000B'] as const;
const followed = { conversationId: 'c', replyId: 'r', userId: 'ann' };
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const stored = (claim: string, content: string): Partial<MessageRow> => ({
  status: 'completed',
  claim,
  content,
  usage,
  cost_nano_dollars: 1_500_000,
});

function world() {
  const live = new LiveReplies();
  const rows = {
    message: { status: 'processing' } as Partial<MessageRow> | null,
    worker: null as string | null,
    rounds: [] as OpenedRound[],
  };
  const requests: (StreamPosition | null)[] = [];
  /** The events with which the other replica answers each request. */
  const answers: (PositionedEvent | 'lost')[][] = [];
  const others = {
    async *follow(
      _: string,
      __: object,
      after: StreamPosition | null,
      ___: AbortSignal,
      onLost: () => void,
    ): AsyncGenerator<PositionedEvent> {
      requests.push(after);
      for (const event of answers.shift() ?? [])
        if (event === 'lost') onLost();
        else yield event;
      if (answers.length === 0) rows.worker = null;
    },
  } as unknown as OtherReplicas;
  const queries = {
    execute: async (query: object) => {
      if (query instanceof WorkerOf) return rows.worker;
      return rows.message && { message: rows.message, conversation: { user_id: 'ann' } };
    },
  } as unknown as QueryBus;
  const chunks = [1, 2, 12].map((rank) => ({ rank, content: `chunk ${rank}` }));
  const opened = {
    text: async (text: string | undefined) => text ?? null,
    usedChunks: async () => chunks,
    rounds: async () => rows.rounds,
  } as unknown as OpenedMessages;
  const follow = new FollowReply(queries, live, opened, others);
  const begin = (claim: string) => live.begin({ ...followed, claim, leaseUntil: Instant.ofMillis(0) }, Instant.ofMillis(0));
  /** A summary of the events until the end. */
  const read = async (after: StreamPosition | null = null, onEvent: (event: string) => void = () => undefined) => {
    const all: string[] = [];
    for await (const { event, data } of follow.events(followed, after, new AbortController().signal)) {
      all.push(event === 'delta' || event === 'reasoning' ? `${event} ${(data as { text: string }).text}` : event);
      onEvent(all.at(-1)!);
    }
    return all;
  };
  return { live, rows, requests, answers, follow, begin, read };
}

const delta = (claim: string, from: number, text: string) =>
  streamEvent('delta', { ...beginningOf(claim), text: from + text.length }, { text });

describe('a reader of a reply', () => {
  it('starts again when another worker writes the reply again', async () => {
    const { begin, live, rows, read } = world();
    const first = begin(ONE);
    first.text.add('It was');
    const events = await read(null, (event) => {
      if (event === 'delta It was') {
        // The lease is lost, and this process claims the reply again.
        live.end(first);
        const second = begin(TWO);
        second.text.add('It is.');
        setImmediate(() => {
          rows.message = stored(TWO, 'It is.');
          live.end(second);
        });
      }
    });
    expect(events).toEqual(['start', 'delta It was', 'restarted', 'delta It is.', 'done']);
  });
  it('drops the text of an earlier claim of this process whose worker still writes', async () => {
    const { begin, live, rows, read } = world();
    const first = begin(ONE);
    first.text.add('It was');
    const events = await read(null, (event) => {
      if (event !== 'delta It was') return;
      const second = begin(TWO);
      second.text.add('It is.');
      first.text.add(' never');
      setImmediate(() => {
        rows.message = stored(TWO, 'It is.');
        live.end(second);
      });
    });
    expect(first.signal.reason).toMatchObject({ because: 'lost' });
    expect(events.slice(-3)).toEqual(['restarted', 'delta It is.', 'done']);
  });
  it('is woken when this process begins a reply that was accepted without a claim', async () => {
    const { begin, live, rows, follow } = world();
    const end = follow.end(followed, 20_000);
    const events = follow.events(followed, null, new AbortController().signal);
    let hasBegun = false;
    const first = events.next().finally(() => (hasBegun = true));
    await waitFor(() => live.awaitedReplies === 1, { what: 'the readers to wait' });
    const reply = begin(ONE);
    // The reader wakes before the pause after which it would read the rows again.
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(hasBegun).toBe(true);
    expect((await first).value).toMatchObject({ event: 'start' });
    rows.message = stored(ONE, 'It is.');
    live.end(reply);
    expect(await end).toMatchObject({ message: { status: 'completed' } });
    expect((await events.next()).value).toMatchObject({ event: 'delta' });
  });
  it('starts again when the stored text is that of another worker', async () => {
    const { rows, read } = world();
    rows.message = stored(TWO, 'It is.');
    expect(await read({ ...beginningOf(ONE), text: 3 })).toEqual(['restarted', 'delta It is.', 'done']);
    expect(await read({ ...beginningOf(TWO), text: 3 })).toEqual(['delta is.', 'done']);
  });
  it('follows a reply that another replica writes, and reads its end from the rows', async () => {
    const { rows, answers, read } = world();
    rows.worker = 'http://other';
    answers.push([streamEvent('start', beginningOf(ONE), {}), delta(ONE, 0, 'It ')]);
    const events = await read(null, (event) => {
      if (event === 'delta It ') rows.message = stored(ONE, 'It is.');
    });
    expect(events).toEqual(['start', 'delta It ', 'delta is.', 'done']);
  });
  it('continues from its position at the other replica when the connection breaks', async () => {
    const { rows, answers, requests, read } = world();
    rows.worker = 'http://other';
    answers.push([streamEvent('start', beginningOf(ONE), {}), delta(ONE, 0, 'It ')], [delta(ONE, 3, 'is')]);
    const events = await read(null, (event) => {
      if (event === 'delta is') rows.message = stored(ONE, 'It is.');
    });
    expect(events).toEqual(['start', 'delta It ', 'delta is', 'delta .', 'done']);
    expect(requests).toEqual([null, { ...beginningOf(ONE), text: 3 }]);
  });
  it('learns once that its worker was lost, and then gets the text of whichever worker answers, from its beginning', async () => {
    const { rows, answers, requests, read } = world();
    rows.worker = 'http://other';
    answers.push([streamEvent('start', beginningOf(ONE), {}), delta(ONE, 0, 'It '), 'lost'], ['lost'], ['lost']);
    answers.push([streamEvent('start', beginningOf(TWO), {}), delta(TWO, 0, 'So it ')]);
    const events = await read(null, (event) => {
      if (event === 'delta So it ') rows.message = stored(TWO, 'So it is.');
    });
    expect(events).toEqual(['start', 'delta It ', 'restarted', 'delta So it ', 'delta is.', 'done']);
    expect(requests.slice(1)).toEqual([beginningOf(ONE), beginningOf(ONE), beginningOf(ONE)]);
  });
  it('does not learn that a worker was lost before it wrote anything', async () => {
    const { rows, answers, read } = world();
    rows.worker = 'http://other';
    answers.push([streamEvent('start', beginningOf(ONE), {}), 'lost'], [streamEvent('start', beginningOf(TWO), {}), delta(TWO, 0, 'So')]);
    const events = await read(null, (event) => {
      if (event === 'delta So') rows.message = stored(TWO, 'So.');
    });
    expect(events).toEqual(['start', 'delta So', 'delta .', 'done']);
  });
  it('waits for a reply that no process writes', async () => {
    const { rows, read } = world();
    setTimeout(() => (rows.message = stored(ONE, 'It is.')), 20);
    expect(await read()).toEqual(['start', 'delta It is.', 'done']);
  });
  it('learns that the reply was erased', async () => {
    const { rows, read } = world();
    rows.message = null;
    expect(await read()).toEqual(['start', 'error']);
  });
  it('gets the chunks that the text refers to, each once', async () => {
    const { rows, read, follow } = world();
    rows.message = stored(ONE, 'So it is [^12], and so [^1]. And [^1].');
    expect(await read()).toEqual(['start', 'delta So it is [^12], and so [^1]. And [^1].', 'citation', 'citation', 'done']);
    const found: object[] = [];
    for await (const { data } of follow.events(followed, { ...beginningOf(ONE), text: 38, citations: 1 }, new AbortController().signal))
      found.push(data);
    const its = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
    expect(found).toEqual([
      { rank: 12, content: 'chunk 12' },
      { message_id: 'r', stop_reason: 'end_turn', usage: its, cost: 0.0015 },
    ]);
  });
  it('gets no reply of another user', async () => {
    const { begin, follow } = world();
    begin(ONE).text.add('It is.');
    const events = [];
    for await (const event of follow.here({ ...followed, userId: 'ben' }, null, new AbortController().signal)) events.push(event);
    expect(events).toEqual([]);
  });
  it('can leave at any time', async () => {
    const { begin, follow } = world();
    begin(ONE);
    const reader = new AbortController();
    const events: string[] = [];
    for await (const { event } of follow.events(followed, null, reader.signal)) {
      events.push(event);
      setImmediate(() => reader.abort());
    }
    expect(events).toEqual(['start']);
  });
});

describe('waiting for the end of a reply', () => {
  it('ends when it is stored', async () => {
    const { begin, live, rows, follow } = world();
    const reply = begin(ONE);
    setImmediate(() => {
      reply.text.add('It ');
      reply.notifyReaders();
      rows.message = stored(ONE, 'It is.');
      live.end(reply);
    });
    expect(await follow.end(followed, 10_000)).toMatchObject({ message: { content: 'It is.' } });
  });
  it.each([true, false])('ends when the time is over (in this process: %j)', async (isHere) => {
    const { begin, follow } = world();
    if (isHere) begin(ONE);
    expect(await follow.end(followed, 20)).toBeNull();
  });
});

describe('the ID of an event', () => {
  it('is the position after it', () =>
    expect(positionIn(delta(ONE, 3, 'is').event.id)).toEqual({ claim: ONE, reasoning: 0, text: 5, citations: 0, tools: 0 }));
  it('counts tool calls if there are any', () =>
    expect(positionIn(idOf({ ...beginningOf(ONE), text: 5, tools: 2 }))).toEqual({ ...beginningOf(ONE), text: 5, tools: 2 }));
  it.each(['', 'x', `${ONE}.1.2`, `${ONE}.-1.2.0`, `${ONE}.1.2.0.5.6`, `${ONE}.9999999999.1.0`])('is unknown: %j', (id) =>
    expect(positionIn(id)).toBeNull(),
  );
});
