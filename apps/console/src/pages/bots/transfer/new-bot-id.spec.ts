import { newBotId } from './new-bot-id.ts';

describe('the ID of a bot that is imported', () => {
  it('is a ULID that begins with its time', () => {
    expect(newBotId(1_469_918_176_385)).toMatch(/^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
    expect(newBotId(0)).toMatch(/^0{10}/);
  });
  it('differs from others of the same moment', () => {
    expect(new Set(Array.from({ length: 100 }, () => newBotId(1))).size).toBe(100);
  });
});
