import { describe, expect, it } from '@jest/globals';
import { CallerBody } from '../../adapters/calls/caller-body.ts';
import { inputTokensOf } from './call-inputs.ts';

const tokensOf = async (source: object) => {
  const request = { model: 'm', messages: [{ content: [{ source }] }] };
  return inputTokensOf(await CallerBody.read(Buffer.from(JSON.stringify(request)), 'anthropic'));
};
const words = 'All of these words are read by the model. '.repeat(2_000);

describe('the estimate of a call', () => {
  it.each([
    { type: 'base64', data: 'iVBORw0KGgo'.repeat(10_000) },
    { type: 'url', url: 'https://example.org/a.png' },
    { type: 'url', url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(10_000)}` },
  ])('has a bound for a file, whatever its size ($type)', async (source) => {
    expect(await tokensOf(source)).toBeLessThan(1_700);
  });
  it.each([
    { type: 'text', data: words },
    { type: 'text', data: words.replaceAll(/[. ]+/g, '_') },
    { type: 'url', url: `https://example.org/ ${words}` },
  ])('counts a text where a file may be ($type)', async (source) => {
    expect(await tokensOf(source)).toBeGreaterThan(15_000);
  });
});
