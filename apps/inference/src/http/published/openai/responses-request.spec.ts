import { describe, expect, it } from '@jest/globals';
import { MAX_TEXT_BYTES } from '../../bodies/message-body.ts';
import { responsesRequestOf } from './responses-request.ts';

const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
const refusal = (path: string) => expect.objectContaining({ code: 'invalid_body', facts: { errors: [expect.objectContaining({ path })] } });

describe('a request for a response', () => {
  it.each(['assistant', 'system', 'developer'])('has no files in a message of the role %s', (role) =>
    expect(() =>
      responsesRequestOf({
        input: [
          { role, content: [image] },
          { role: 'user', content: 'Hello?' },
        ],
      }),
    ).toThrow(refusal('input[0].content')),
  );
  it.each([
    ['an empty text', ' ', 'input'],
    ['an empty message', [{ role: 'user', content: ' ' }], 'input[0].content'],
    ['no message of the user at its end', [{ role: 'assistant', content: 'Hi' }], 'input[0].role'],
    ['an unknown role', [{ role: 'wizard', content: 'Hi' }], 'input[0].role'],
    ['a part without a type', [{ role: 'user', content: [{ text: 'Hi' }] }], 'input[0].content[0].type'],
    ['a number', 5, 'input'],
  ])('is refused with %s, by the name of the field', (_, input, path) =>
    expect(() => responsesRequestOf({ input })).toThrow(refusal(path)),
  );
  it('has the files of its question', () =>
    expect(responsesRequestOf({ input: [{ role: 'user', content: [image] }] }).files).toMatchObject([{ kind: 'image', body: 'AAAA' }]));
  it('accepts text up to the limit, and no more', () => {
    const half = 'x'.repeat(MAX_TEXT_BYTES / 2);
    expect(responsesRequestOf({ instructions: half, input: half }).text).toBe(half);
    expect(() => responsesRequestOf({ instructions: half, input: `${half}x` })).toThrow(refusal('input'));
  });
  it('puts its instructions before those of its messages', () =>
    expect(
      responsesRequestOf({
        instructions: 'First.',
        input: [
          { role: 'developer', content: 'Second.' },
          { role: 'user', content: 'Hello?' },
        ],
      }).terms,
    ).toEqual({ instruction: 'First.\n\nSecond.' }));
});
