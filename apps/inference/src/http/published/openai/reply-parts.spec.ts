import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../adapters/stream-events.ts';
import { annotationsOf } from './annotations.ts';
import { causeOf } from './ended-reply.ts';
import { type ReplyPart, replyPartsOf } from './reply-parts.ts';

async function partsOfEvents(...events: readonly [StreamEvent['event'], object][]): Promise<ReplyPart[]> {
  async function* all(): AsyncGenerator<StreamEvent> {
    for (const [event, data] of events) yield { id: '', event, data };
  }
  const parts: ReplyPart[] = [];
  for await (const part of replyPartsOf(all())) parts.push(part);
  return parts;
}
const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0 };
const done = ['done', { stop_reason: 'end_turn', usage }] as const;

describe('the parts of a reply for a client that cannot retract text', () => {
  it('end with the whole reply', async () => {
    const parts = await partsOfEvents(
      ['start', {}],
      ['reasoning', { text: 'Hm.' }],
      ['delta', { text: 'So ' }],
      ['delta', { text: 'so.' }],
      [...done],
    );
    expect(parts.at(-1)).toEqual({
      type: 'ended',
      reply: { text: 'So so.', reasoning: 'Hm.', chunks: [], stopReason: 'end_turn', usage, isBlocked: false },
    });
  });

  it('continue if a reply is written again before any of its text was sent', async () => {
    const parts = await partsOfEvents(['start', {}], ['restarted', {}], ['delta', { text: 'So.' }], [...done]);
    expect(parts.map(({ type }) => type)).toEqual(['text', 'ended']);
  });

  it('fail if a reply is written again after some of its text was sent', async () => {
    const parts = await partsOfEvents(['start', {}], ['delta', { text: 'So' }], ['restarted', {}], ['delta', { text: 'Thus.' }], [...done]);
    expect(parts).toEqual([{ type: 'text', text: 'So' }, expect.objectContaining({ type: 'failed', code: 'stream_broken' })]);
  });

  it('fail if a reply is written again after some of its reasoning was sent', async () => {
    const parts = await partsOfEvents(
      ['start', {}],
      ['reasoning', { text: 'Hm.' }],
      ['restarted', {}],
      ['delta', { text: 'So.' }],
      [...done],
    );
    expect(parts.at(-1)).toMatchObject({ type: 'failed', code: 'stream_broken' });
  });

  it('fail if the events end before the reply', async () => {
    expect((await partsOfEvents(['start', {}])).at(-1)).toMatchObject({ type: 'failed', code: 'stream_broken' });
  });
});

describe('why a reply has ended', () => {
  it.each([
    ['end_turn', false, 'stop'],
    ['stop_sequence', false, 'stop'],
    ['cancelled', false, 'stop'],
    ['max_tool_rounds', false, 'stop'],
    ['max_tokens', false, 'length'],
    ['content_filtered', false, 'content_filter'],
    ['end_turn', true, 'content_filter'],
  ])('%s, blocked by a guardrail: %s, is %s', (stopReason, isBlocked, cause) => {
    expect(causeOf({ stopReason, isBlocked })).toBe(cause);
  });
});

describe('the annotations of a text', () => {
  const chunk = (rank: number, source: string) => ({
    content: 'c',
    content_type: 'text' as const,
    source,
    source_name: `Name ${rank}`,
    source_id: `id-${rank}`,
    page_number: null,
    heading: null,
    rank,
    score: 1,
  });

  it('are in the order of the markers, with the URL of pages', () => {
    const text = 'A [^2]. B [^1]. C [^2].';
    expect(annotationsOf(text, [chunk(1, 'https://example.org/a'), chunk(2, 'b.pdf')])).toEqual([
      { type: 'file_citation', file_id: 'id-2', filename: 'Name 2', index: 2 },
      { type: 'url_citation', start_index: 10, end_index: 14, title: 'Name 1', url: 'https://example.org/a' },
      { type: 'file_citation', file_id: 'id-2', filename: 'Name 2', index: 18 },
    ]);
  });

  it('do not confuse [^1] with [^10]', () => {
    expect(annotationsOf('A [^10].', [chunk(1, 'a')])).toEqual([]);
  });
});
