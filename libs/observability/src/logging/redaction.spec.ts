import { describe, expect, it } from '@jest/globals';
import { mustEnd } from '@parlance/testing';
import fc from 'fast-check';
import { redactedLine, redactedText } from './redaction.ts';

const canary = 'zx9canary';

describe('free text', () => {
  it.each([
    `password=${canary}`,
    `password: '${canary} ${canary}' was wrong`,
    `{"password":"${canary} \\"${canary}\\" ${canary}"}`,
    `{"a":"{\\"client_secret\\":\\"${canary}, ${canary}\\"}"}`,
    `{ password: { is: '${canary}', or: ["}", "${canary}"] } }`,
    `Authorization: Bearer ${canary}`,
    `authorization: Digest a="b", response="${canary}"`.replace('"b"', 'b').replace(`"${canary}"`, canary),
    `Cookie: a=1; b=${canary}; c=${canary}\nHost: x`,
    `GET /x?access_token=${canary}&y=1`,
    `x-api-key%3D${canary}`,
    `newPassword => ${canary}`,
    `secretAccessKey: ${canary}`,
    `sent prl_${canary}${canary}, refused`,
    `whsec_${canary}`,
    `sk-ant-${canary}${canary}`,
    `token eyJhbGciOiJIUzI1NiJ9.${canary}.${canary}`,
    `eyJhbGciOiJkaXIifQ..${canary}.${canary}.${canary}`,
    `mongodb://parlance:${canary}@db/x`,
    `https://parlance:${canary}%40@host/`,
    `bearer ${canary}`,
    `X-Amz-Signature=${canary}`,
    `x-parlance-caller: ${canary}`,
  ])('%s keeps nothing of the secret', (text) => {
    expect(redactedText(text)).not.toContain(canary);
    expect(redactedText(text)).toContain('***');
  });

  it.each([
    'input_tokens: 12, output_tokens: 7',
    'unexpected token in JSON',
    'the password was wrong',
    'https://example.org/a@b',
    'mailto: ada@example.org',
    'api_keys of the bot',
    'ask-me-anything-you-like',
  ])('%s stays as it is', (text) => expect(redactedText(text)).toBe(text));

  it('keeps the text around a secret', () => {
    expect(redactedText(`GET /x?token=${canary}&page=2`)).toBe('GET /x?token=***&page=2');
    expect(redactedText(`Cookie: a=${canary}\nHost: x`)).toBe('Cookie: ***\nHost: x');
    expect(redactedText(`POST {"password":"${canary}","email":"ada"} failed`)).toBe('POST {"password":***,"email":"ada"} failed');
  });

  it.each(['token_', 'a-', '://:', 'eyJ', '\\"', '{', 'Bearer a', 'password=', 'a://a:', '"token":'])(
    'that consists only of %j takes linear time',
    (part) => {
      const text = `secret ${part.repeat(1_000_000 / part.length)}`;
      expect(mustEnd(() => redactedText(text))).toContain('secret');
    },
  );
});

describe('a line of the log', () => {
  const line = (value: unknown) => redactedLine(`${JSON.stringify(value)}\n`);

  it('without secrets is not changed', () => expect(line({ a: 1 })).toBe('{"a":1}\n'));

  it.each([
    { headers: { authorization: canary, 'set-cookie': [canary], 'X-Api-Key': canary } },
    { rawHeaders: ['Host', 'x', 'Cookie', canary] },
    { form: [{ name: 'password', value: canary }] },
    { a: [{ b: { clientSecret: { deep: [canary] } } }] },
    { refresh_token: 7_700_123, note: canary.replace(canary, 'fine') },
    { [`Bearer ${canary}1`]: 1 },
  ])('%j keeps nothing of the secret', (value) => {
    expect(line(value)).not.toMatch(/zx9canary|7700123/);
    expect(line(value)).toContain('***');
  });

  it('keeps values that are not secrets, even next to a secret', () => {
    expect(JSON.parse(line({ password: canary, input_tokens: 3, apiKey: null, at: [1, 2] }))).toEqual({
      password: '***',
      input_tokens: 3,
      apiKey: null,
      at: [1, 2],
    });
  });

  it('remains one line of JSON without the secret, whatever surrounds it', () => {
    const around = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', "'", ' ', '\n', 'a', '=', '%') });
    fc.assert(
      fc.property(around, around, fc.constantFrom('password', 'access_token', 'x-api-key'), (before, after, name) => {
        const text = line({ msg: `${before}"${name}":"${canary}"${after}`, err: { stack: `${before} ${name}=${canary} ${after}` } });
        expect(text).not.toContain(canary);
        expect(text.indexOf('\n')).toBe(text.length - 1);
        expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
