import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type FoundText, withTexts } from './json-texts.ts';

const seen = async (document: string): Promise<readonly [FoundText['kind'], string][]> => {
  const found: [FoundText['kind'], string][] = [];
  await withTexts(Buffer.from(document), async (text, kind) => (found.push([kind, text]), text));
  return found;
};
const texts = async (value: unknown) => (await seen(JSON.stringify(value))).map(([, text]) => text);

/** Other texts of a value, without names of fields. */
const shouted = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}!`;
  if (Array.isArray(value)) return value.map(shouted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shouted(each)]));
};

describe('the texts of a JSON document', () => {
  it('are all texts of a free object, and are replaced alone', async () => {
    const spaced = fc.constantFrom(undefined, 1, '\t');
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), spaced, async (value, space) => {
        const document = JSON.stringify({ metadata: { value } }, null, space);
        const changed = await withTexts(Buffer.from(document), async (text) => `${text}!`);
        const same = await withTexts(Buffer.from(document), async (text) => text);
        expect(JSON.parse(changed.toString())).toEqual(JSON.parse(JSON.stringify({ metadata: { value: shouted(value) } })));
        expect(same.toString()).toBe(document);
      }),
    );
  });

  it('are those of unknown fields too, but no words of the API', async () => {
    expect(await texts({ model: 'm', role: 'user', type: 't', content: 'a', new_field: ['b', { c: 'c' }], name: 'n' })).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await texts({ input: { model: 'a', type: 'b' }, metadata: { id: 'c' } })).toEqual(['a', 'b', 'c']);
    expect(await texts({ input: [{ role: 'user', content: 'a' }, 'b'] })).toEqual(['a', 'b']);
  });

  it('are not too many', async () => {
    await expect(texts(Array.from({ length: 50_001 }, () => 'a'))).rejects.toMatchObject({ code: 'too_many_texts' });
    expect(await texts(Array.from({ length: 50_000 }, () => 'a'))).toHaveLength(50_000);
  });

  it('are converted in slices if they are long', async () => {
    const long = fc
      .tuple(fc.string({ unit: fc.constantFrom('\\', '"', 'é', '😀', '\n', 'a', '\ud83d'), maxLength: 20 }), fc.nat(8))
      .map(([unit, more]) => `${'x'.repeat(more)}${(unit + 'y').repeat(Math.ceil(70_000 / (unit.length + 1)))}`);
    await fc.assert(
      fc.asyncProperty(long, fc.boolean(), async (whole, isEscaped) => {
        const plain = JSON.stringify({ content: whole });
        const document = isEscaped ? plain.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : plain;
        expect(await seen(document)).toEqual([['text', whole]]);
        const changed = await withTexts(Buffer.from(document), async (text) => `${text}!`);
        expect(JSON.parse(changed.toString())).toEqual({ content: `${whole}!` });
      }),
      { numRuns: 40 },
    );
  });

  it('are repeated fields too', async () => {
    expect(await seen('{"messages":[{"content":"a","content":"b","\\u0063ontent":"c"}]}')).toEqual(
      ['a', 'b', 'c'].map((text) => ['text', text]),
    );
  });

  it('are no addresses and no files', async () => {
    const files = [
      { image_url: { url: 'https://example.org/a' } },
      { image_url: 'data:image/png;base64,aaaa' },
      { source: { data: 'aaaa', type: 'base64' } },
      { source: { type: 'base64', data: 'aaaa' } },
      { input_audio: { data: 'aaaa', format: 'wav' } },
      { file: { file_data: 'aaaa' } },
      { type: 'redacted_thinking', data: 'aaaa' },
    ];
    expect(await texts({ content: files })).toEqual([]);
    expect(await texts({ content: [{ source: { data: 'a', type: 'text' } }, { url: 'no address' }] })).toEqual(['a', 'no address']);
  });

  it('are marked if they are JSON, or tokens of an answer', async () => {
    expect(await seen('{"arguments":"{}","logprobs":{"content":[{"token":"a"}]},"input":[1,2]}')).toEqual([
      ['arguments', '{}'],
      ['token', 'a'],
      ['logprobs', ''],
      ['tokens', ''],
    ]);
  });

  it.each(['{"a":["b"}', '{"a":[', '{"a":"b', `${'['.repeat(300)}`, '{"a":"\\x"}', "{'a':'b'}", '{"a":/*b*/1}', '{a:1}'])(
    'are refused if it is not valid: %s',
    async (document) => {
      await expect(seen(document)).rejects.toMatchObject({ code: 'malformed_body' });
    },
  );
});
