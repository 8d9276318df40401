import { describe, expect, it } from '@jest/globals';
import { CallerBody } from './caller-body.ts';

const read = (json: string) => CallerBody.read(Buffer.from(json), 'openai');

describe('the body of a caller', () => {
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
