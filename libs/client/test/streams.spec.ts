import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PublishedBot, type ReplyEvent, serverSentEvents } from '../src/index.ts';
import { noPauses } from './no-pauses.ts';
import { json, problem, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const pauses = noPauses();
let server: ScriptedServer;
let bot: PublishedBot;
beforeEach(async () => {
  server = await scriptedServer();
  bot = new PublishedBot({ endpoint: `${server.url}/published/a/v1`, apiKey: 'prl_key' });
});
afterEach(() => server.stop());

const frame = (id: string, event: string, data: object) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const place = { conversation_id: 'c', message_id: 'm' };
const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
const done = { message_id: 'm', stop_reason: 'end_turn', usage, cost: 0.5 };
const replyOf = (pieces: readonly string[]) => [
  frame('0', 'start', place),
  ...pieces.map((text, index) => frame(String(index + 1), 'delta', { text })),
  frame(String(pieces.length + 1), 'done', done),
];
const body = { message: { content: [{ content_type: 'text' as const, body: 'Hello?' }] } };
const read = async (stream: AsyncIterable<ReplyEvent>) => {
  const all: string[] = [];
  for await (const { id } of stream) all.push(id);
  return all;
};
const asStream = { 'content-type': 'text/event-stream' };

describe('the stream of a reply', () => {
  it('delivers each event once and in order, wherever its connections break', async () => {
    const pieces = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 6 });
    // The number of bytes that each connection delivers after the last complete event.
    const breaks = fc.array(fc.nat({ max: 200 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pieces, breaks, async (texts, cuts) => {
        const events = replyOf(texts);
        let connection = 0;
        server.script = ({ method, headers }, answer) => {
          const last = headers['last-event-id'];
          const left = events.slice(method === 'GET' && last !== undefined ? Number(last) + 1 : 0).join('');
          const cut = cuts[connection++];
          answer.writeHead(200, asStream);
          if (cut === undefined) answer.end(left);
          else answer.write(Buffer.from(left).subarray(0, cut), () => answer.destroy());
        };
        const reply = await bot.stream(body).finished();
        expect(reply).toMatchObject({ conversationId: 'c', messageId: 'm', text: texts.join(''), stopReason: 'end_turn', cost: 0.5 });
        expect(await read(bot.follow('c', 'm'))).toEqual(events.map((_, index) => String(index)));
      }),
      { numRuns: 12 },
    );
  }, 120_000);
  it('is requested again with the same key if it breaks before its first event, otherwise resumed after the last event', async () => {
    const events = replyOf(['Hi']);
    server.script = (_, answer, requestNumber) => {
      answer.writeHead(200, asStream);
      if (requestNumber === 1) answer.write(':\n\n', () => answer.destroy());
      else if (requestNumber === 2) answer.write(events.slice(0, 2).join(''), () => answer.destroy());
      else answer.end(events[2]);
    };
    expect(await read(bot.stream(body))).toEqual(['0', '1', '2']);
    const [first, second, third] = server.received;
    expect([first, second].map((each) => `${each?.method} ${each?.path}`)).toEqual(Array(2).fill('POST /published/a/v1/conversation'));
    expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key']);
    expect([third?.method, third?.path, third?.headers['last-event-id'], third?.headers['x-api-key']]).toEqual([
      'GET',
      '/published/a/v1/conversation/c/m/stream',
      '1',
      'prl_key',
    ]);
  });
  it('resumes after an outage of the server', async () => {
    const events = replyOf(['Hi']);
    server.script = (_, answer, requestNumber) => {
      if (requestNumber === 1) answer.writeHead(200, asStream).write(events[0], () => answer.destroy());
      else if (requestNumber < 7) answer.destroy();
      else answer.writeHead(200, asStream).end(events.slice(1).join(''));
    };
    expect(await read(bot.stream(body))).toEqual(['0', '1', '2']);
  });
  it('may break any number of times if events arrive in between', async () => {
    const events = replyOf(['a', 'b', 'c']);
    server.script = (_, answer, requestNumber) => {
      answer.writeHead(200, asStream);
      if (requestNumber === events.length) answer.end(events[requestNumber - 1]);
      else answer.write(events[requestNumber - 1], () => answer.destroy());
    };
    expect(await read(bot.stream(body, { maxBreaks: 1 }))).toEqual(['0', '1', '2', '3', '4']);
  });
  it('fails at once if the server cannot be reached at the beginning, because the request was already retried', async () => {
    bot = new PublishedBot({ endpoint: `${server.url}/published/a/v1`, apiKey: 'prl_key', retries: { attempts: 1 } });
    server.script = (_, answer) => answer.destroy();
    await expect(read(bot.stream(body))).rejects.toMatchObject({ code: 'connection_failed' });
    expect(server.received).toHaveLength(1);
  });
  it('resumes if a connection breaks after an approval', async () => {
    const call = { call_id: 'k', name: 'mail', input: {}, expires_at: 1 };
    server.script = (_, answer, requestNumber) => {
      answer.writeHead(200, asStream);
      if (requestNumber === 1) answer.write(frame('0', 'start', place) + frame('1', 'approval', call), () => answer.destroy());
      else answer.end(frame('2', 'done', done));
    };
    expect(await read(bot.stream(body))).toEqual(['0', '1', '2']);
  });
  it('cannot start over if only the text is read', async () => {
    const events = [
      frame('0', 'start', place),
      frame('1', 'delta', { text: 'No' }),
      frame('0b', 'restarted', { message_id: place.message_id }),
    ];
    server.script = (_, answer) => answer.writeHead(200, asStream).end(events.join(''));
    const texts: string[] = [];
    const reading = (async () => {
      for await (const text of bot.stream(body).text()) texts.push(text);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'reply_restarted' });
    expect(texts).toEqual(['No']);
  });
  it('is opened again if a connection is silent', async () => {
    const events = replyOf(['Hi']);
    server.script = (_, answer, requestNumber) => {
      answer.writeHead(200, asStream);
      if (requestNumber === 1) answer.write(events[0]);
      else answer.end(events.slice(1).join(''));
    };
    expect(await read(bot.stream(body, { idleMillis: 50 }))).toEqual(['0', '1', '2']);
  });
  it('throws a refusal at once, even when it is resumed', async () => {
    server.script = (_, answer, requestNumber) => {
      if (requestNumber === 1) answer.writeHead(200, asStream).write(frame('0', 'start', place), () => answer.destroy());
      else problem(answer, 403, 'invalid_api_key');
    };
    await expect(read(bot.stream(body))).rejects.toMatchObject({ code: 'invalid_api_key', status: 403 });
    expect(server.received).toHaveLength(2);
  });
  it('fails if it breaks too often without an event', async () => {
    server.script = (_, answer) => answer.writeHead(200, asStream).end();
    await expect(read(bot.stream(body, { maxBreaks: 2 }))).rejects.toMatchObject({ code: 'stream_broken' });
    expect(server.received).toHaveLength(2);
  });
  it('closes its connection when the reader stops or aborts', async () => {
    const closed: Promise<void>[] = [];
    server.script = (_, answer) => {
      closed.push(new Promise((resolve) => answer.on('close', resolve)));
      answer.writeHead(200, asStream).write(frame('0', 'start', place));
    };
    for await (const event of bot.stream(body)) if (event.event === 'start') break;
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of bot.stream(body, { signal: abort.signal })) abort.abort(new Error('left'));
    })();
    await expect(reading).rejects.toThrow('left');
    await Promise.all(closed);
    expect(server.received).toHaveLength(2);
  });
  it('drops the events before a new start', async () => {
    const again = [
      frame('0', 'start', place),
      frame('1', 'delta', { text: 'No' }),
      frame('0b', 'restarted', { message_id: place.message_id }),
      frame('1b', 'delta', { text: 'Yes' }),
    ];
    server.script = (_, answer) => answer.writeHead(200, asStream).end([...again, frame('2b', 'done', done)].join(''));
    expect((await bot.stream(body).finished()).text).toBe('Yes');
  });
  it('ends at once if it is opened after an approval that is still awaited', async () => {
    server.script = ({ path }, answer) =>
      path.endsWith('/stream') ? answer.writeHead(200, asStream).end() : json(answer, 202, { status: 'awaiting_approval' });
    expect(await read(bot.follow('c', 'm', { lastEventId: '1' }))).toEqual([]);
    expect(server.received.map(({ path }) => path.split('/').slice(4).join('/'))).toEqual(['conversation/c/m/stream', 'conversation/c/m']);
  });
  it('is opened again if it ended early while the reply is still being written', async () => {
    let streams = 0;
    server.script = ({ path }, answer) => {
      if (!path.endsWith('/stream')) json(answer, 202, { status: 'processing' });
      else answer.writeHead(200, asStream).end(++streams === 1 ? '' : frame('2', 'done', done));
    };
    expect(await read(bot.follow('c', 'm', { lastEventId: '1' }))).toEqual(['2']);
    expect(streams).toBe(2);
  });
  it('ends after a final approval, and throws the error of a failed reply', async () => {
    const call = { call_id: 'k', name: 'mail', input: {}, expires_at: 1 };
    server.script = (_, answer) => answer.writeHead(200, asStream).end(frame('0', 'start', place) + frame('1', 'approval', call));
    expect(await read(bot.stream(body))).toEqual(['0', '1']);
    await expect(bot.stream(body).finished()).rejects.toMatchObject({ code: 'approval_required' });
    server.script = (_, answer) =>
      answer
        .writeHead(200, asStream)
        .end(frame('0', 'start', place) + frame('1', 'error', { code: 'provider_failed', message: 'It failed.' }));
    await expect(bot.stream(body).finished()).rejects.toMatchObject({ code: 'provider_failed', message: 'It failed.' });
  });
});

describe('waiting for a reply', () => {
  const complete = { conversation_id: 'c', message: { message_id: 'm' }, status: 'completed' };
  it('polls until the reply is complete, and pauses as long as the server requests', async () => {
    server.script = (_, answer, requestNumber) =>
      requestNumber < 3
        ? json(answer, 202, { status: 'processing' }, requestNumber === 1 ? { 'retry-after': '1' } : {})
        : json(answer, 200, complete);
    expect(await bot.wait('c', 'm')).toEqual(complete);
    expect(pauses).toEqual([1_000, expect.any(Number)]);
    expect(server.received.map(({ path }) => path)).toEqual(Array(3).fill('/published/a/v1/conversation/c/m'));
  });
  it('polls again if an answer is lost', async () => {
    server.script = (_, answer, requestNumber) => (requestNumber === 1 ? answer.destroy() : json(answer, 200, complete));
    expect(await bot.wait('c', 'm')).toEqual(complete);
    expect(server.received).toHaveLength(2);
  });
  it('ends at the time limit, or when the user has to decide', async () => {
    server.script = (_, answer) => json(answer, 202, { status: 'processing' });
    await expect(bot.wait('c', 'm', { timeoutMillis: 10 })).rejects.toMatchObject({ code: 'timed_out' });
    server.script = (_, answer) => json(answer, 202, { status: 'awaiting_approval', tool_calls: [] });
    await expect(bot.wait('c', 'm')).rejects.toMatchObject({ code: 'approval_required' });
  });
});

describe('server-sent events', () => {
  it('are bounded, so that an endless line does not fill the memory', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(1024 * 1024));
    let chunks = 0;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++chunks <= 20) controller.enqueue(chunk);
        else controller.close();
      },
    });
    await expect(serverSentEvents(source).next()).rejects.toThrow('too long');
    expect(chunks).toBeLessThan(20);
  });
  it('are the same however the bytes are split, with any line endings, and without a truncated event', async () => {
    const text = ':\n\nid: 1\r\nevent: delta\r\ndata: {"text":\r\ndata: "é€𝄞"}\r\n\r\nid:2\rdata:a\rdata: b\r\rdata: lost';
    const bytes = new TextEncoder().encode(text);
    const expected = [
      { id: '1', event: 'delta', data: '{"text":\n"é€𝄞"}' },
      { id: '2', event: 'message', data: 'a\nb' },
    ];
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
        const source = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const chunk of chunks) controller.enqueue(chunk);
            controller.close();
          },
        });
        const events = [];
        for await (const event of serverSentEvents(source)) events.push(event);
        expect(events).toEqual(expected);
      }),
    );
  });
});
