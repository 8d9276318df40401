import { describe, expect, it } from '@jest/globals';
import { BotRules } from '@parlance/bots';
import { fitted } from './fitting.ts';
import { LeftOut, type Note } from './note.ts';

const rules = new BotRules({ retrievers: {}, knowledgeS3: null });
const fit = (body: object) => {
  const notes: Note[] = [];
  const fitting = fitted({ title: 'Guide', ...body }, (candidate) => rules.faultsOf(candidate), notes);
  return { fitting, notes };
};

describe('a bot that an installation does not accept unchanged', () => {
  it('is unchanged if everything is accepted', () => expect(fit({ generation_params: { top_k: 3 } }).notes).toEqual([]));
  it('loses a setting that is out of bounds, and keeps the others', () => {
    const { fitting, notes } = fit({ generation_params: { top_k: 3, temperature: 7 } });
    expect(fitting).toEqual({ title: 'Guide', generation_params: { top_k: 3 } });
    expect(notes).toEqual([{ reason: 'generation_params.temperature_not_taken', detail: expect.stringMatching(/^7: must /) }]);
  });
  it('loses only the invalid elements of a list', () => {
    const { fitting, notes } = fit({ knowledge: { source_urls: ['https://a.example', 'no url', 'https://b.example', 'ftp://c'] } });
    expect(fitting).toMatchObject({ knowledge: { source_urls: ['https://a.example', 'https://b.example'] } });
    expect(notes.map(({ reason, detail }) => [reason, detail.slice(0, 9)])).toEqual([
      ['knowledge.source_urls_not_taken', '"no url":'],
      ['knowledge.source_urls_not_taken', '"ftp://c"'],
    ]);
  });
  it('loses the last elements of a list that is too long', () => {
    const { fitting, notes } = fit({ generation_params: { stop_sequences: Array.from({ length: 12 }, (_, index) => `s${index}`) } });
    expect((fitting['generation_params'] as { stop_sequences: string[] }).stop_sequences).toHaveLength(10);
    expect(notes.map(({ detail }) => detail.slice(0, 5))).toEqual(['"s11"', '"s10"']);
  });
  it('loses s3_urls that the installation may not read', () =>
    expect(fit({ knowledge: { s3_urls: ['s3://bucket/a/'] } })).toMatchObject({
      fitting: { knowledge: { s3_urls: [] } },
      notes: [{ reason: 'knowledge.s3_urls_not_taken', detail: expect.stringContaining('s3://bucket/a/') }],
    }));
  it('loses an element without one of its parts', () =>
    expect(fit({ conversation_quick_starters: [{ title: 'a', example: 'b' }, { title: 'c' }] })).toMatchObject({
      fitting: { conversation_quick_starters: [{ title: 'a', example: 'b' }] },
      notes: [{ reason: expect.stringMatching(/^conversation_quick_starters/) }],
    }));
  it('is left out if it lacks a required field', () =>
    expect(() => fitted({ title: 'Guide' }, () => [{ path: 'a.b', message: 'must be there' }], [])).toThrow(
      new LeftOut('bot_not_accepted'),
    ));
  it('is left out without a title', () => expect(() => fit({ title: '' })).toThrow(new LeftOut('title_invalid')));
});
