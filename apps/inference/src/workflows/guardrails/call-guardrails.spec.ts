import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PARAMETERS } from '@parlance/chat-models';
import { Guardrails } from '@parlance/guardrails';
import { CallGuardrails } from './call-guardrails.ts';
import { newTexts } from './new-texts.ts';

const ADDRESS = 'jo@example.com';
const mask = { id: 'pii', apply_to: ['conversations'], stage: 'input', action: 'mask', detectors: ['email'] } as const;
const chunk = { content: 'x', content_type: 'text', source: 's', source_id: 's', page_number: 1, rank: 1, score: 1 } as const;

describe('the guardrails of a call', () => {
  it('mask values in the names of files and sources, which the model reads too', async () => {
    const prompt = {
      instruction: '',
      turns: [{ role: 'user', text: '', files: [{ mediaType: 'text/plain', name: `${ADDRESS}.pdf`, bytes: new Uint8Array() }] }],
      knowledge: { chunks: [{ ...chunk, source_name: `Letter of ${ADDRESS}`, heading: ADDRESS }], showsSources: false },
      parameters: DEFAULT_PARAMETERS,
      isCached: false,
    } as const;
    const masked = await new CallGuardrails(new Guardrails([mask]), 'conversations').prompt(prompt);
    expect(masked.turns[0]?.files?.[0]?.name).toBe('[EMAIL_1].pdf');
    expect(masked.knowledge?.chunks[0]).toMatchObject({ source_name: 'Letter of [EMAIL_1]', heading: '[EMAIL_1]' });
  });
  it("mask values in the entries of the user's memory", async () => {
    const prompt = { instruction: '', turns: [], knowledge: null, parameters: DEFAULT_PARAMETERS, isCached: false } as const;
    const guardrails = new CallGuardrails(new Guardrails([mask]), 'conversations');
    const { memory } = await guardrails.prompt({ ...prompt, memory: [`Has the address ${ADDRESS}.`, 'Sings.'] });
    expect(memory).toEqual(['Has the address [EMAIL_1].', 'Sings.']);
    expect((await guardrails.prompt(prompt)).memory).toBeUndefined();
  });
  it('check the names of the files of a message', () => {
    const prompt = { turns: [{ role: 'user', text: '', files: [{ name: ADDRESS }, { name: null, text: 'text' }] }] };
    const texts = newTexts({ text: 'Hello' } as Parameters<typeof newTexts>[0], prompt as unknown as Parameters<typeof newTexts>[1]);
    expect(texts).toEqual(['Hello', ADDRESS, 'text']);
  });
});
