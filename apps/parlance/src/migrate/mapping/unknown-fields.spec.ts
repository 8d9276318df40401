import { describe, expect, it } from '@jest/globals';
import { unknownFields } from './unknown-fields.ts';

describe('unknown fields', () => {
  it('are noted with their names and the beginning of their values', () => {
    expect(unknownFields('bot', { PK: 'u', Title: 'Guide', GroupId: 'g', EmbeddingParams: { chunk_size: '1000' } })).toEqual([
      { reason: 'GroupId_unknown', detail: '"g"' },
      { reason: 'EmbeddingParams_unknown', detail: '{"chunk_size":"1000"}' },
    ]);
    expect(unknownFields('conversation', { X: 'x'.repeat(1_000) })[0]!.detail).toHaveLength(500);
  });
  it('are noted for messages, too', () =>
    expect(unknownFields('message', { role: 'user', tokens: 3 }, 'message q: ')).toEqual([
      { reason: 'message.tokens_unknown', detail: 'message q: 3' },
    ]));
  it.each([[null], [''], [[]], [{}]])('are ignored without a value: %j', (value) =>
    expect(unknownFields('alias', { X: value })).toEqual([]),
  );
});
