import { describe, expect, it } from '@jest/globals';
import { CallerBody } from './caller-body.ts';

const read = (json: string) => CallerBody.read(Buffer.from(json), 'openai');
const bodyOf = (request: object) => read(JSON.stringify(request));

describe('the body of a caller', () => {
  it.each([{ MODEL: 'other' }, { Stream: true }, { max_Tokens: 9 }, { 'max_to\u212aens': 9 }, { '\u017ftream': true }, { N: 9 }])(
    'may not have a field in another case that some servers read instead (%j)',
    async (field) => {
      await expect(bodyOf({ model: 'gpt', ...field })).rejects.toEqual(expect.objectContaining({ code: 'invalid_body' }));
    },
  );
  it('may have other fields in any case', async () => {
    expect((await bodyOf({ model: 'gpt', Metadata: {}, metadata: {}, nameOfModel: 'x' })).model).toBe('gpt');
  });
  it('has the larger one of two bounds of its output', async () => {
    expect((await bodyOf({ model: 'gpt', max_completion_tokens: 1, max_tokens: 900 })).maxTokens).toBe(900);
    expect((await bodyOf({ model: 'gpt', max_completion_tokens: 1 })).maxTokens).toBe(1);
    expect((await bodyOf({ model: 'gpt' })).maxTokens).toBe(null);
  });
  it.each([
    ['numbers', '1,'],
    ['texts', '"",'],
    ['lists', '[],'],
    ['quotes', '"\\"\\"\\"\\"\\"\\"\\"\\"",'],
  ])('gives other work its turns while it is read, whatever it contains (%s)', async (_, item) => {
    let turns = 0;
    let isReading = true;
    setImmediate(function count() {
      turns += 1;
      if (isReading) setImmediate(count);
    });
    await read(`{"model":"gpt","input":[${item.repeat(3e6 / item.length)}0]}`).finally(() => (isReading = false));
    expect(turns).toBeGreaterThan(2);
  });
});
