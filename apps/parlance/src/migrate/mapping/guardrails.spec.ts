import { describe, expect, it } from '@jest/globals';
import type { Item } from '../source/dynamo-item.ts';
import type { Note } from './note.ts';
import { guardrailsOf } from './guardrails.ts';

/** The guardrails in an export, which has numbers as texts. */
const raw = {
  is_guardrail_enabled: true,
  hate_threshold: '0',
  insults_threshold: '0',
  sexual_threshold: '0',
  violence_threshold: '0',
  misconduct_threshold: '0',
  grounding_threshold: '0.7',
  relevance_threshold: '0.3',
  guardrail_arn: '',
  guardrail_version: '',
};

function mapped(item: Item) {
  const notes: Note[] = [];
  return { body: guardrailsOf(item, notes), reasons: notes.map(({ reason }) => reason), details: notes.map(({ detail }) => detail) };
}

describe('the guardrails of a bot of the source', () => {
  it('become the check for grounding and relevance', () => {
    expect(mapped(raw)).toMatchObject({
      body: { bedrock_guardrails: { is_guardrail_enabled: true, grounding_threshold: 0.7, relevance_threshold: 0.3 } },
      reasons: [],
    });
  });
  it.each([[{}], [{ ...raw, is_guardrail_enabled: false, hate_threshold: '2' }]])('are absent if they are off: %j', (item) => {
    expect(mapped(item)).toEqual({ body: {}, reasons: [], details: [] });
  });
  it('are imported without the filters and the address of Amazon Bedrock, which are reported', () => {
    const arn = 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc';
    const { body, reasons, details } = mapped({ ...raw, hate_threshold: '2', violence_threshold: '1', guardrail_arn: arn });
    expect(JSON.stringify(body)).not.toContain('arn');
    expect(body).toHaveProperty('bedrock_guardrails.grounding_threshold', 0.7);
    expect([reasons, details]).toEqual([
      ['guardrail_filters_not_taken', 'guardrail_arn_not_taken'],
      [expect.stringMatching(/^hate, violence: enter the guardrail_arn .*\.$/), expect.stringContaining(arn)],
    ]);
  });
  it('are not turned on if none of them can be imported', () => {
    expect(mapped({ ...raw, grounding_threshold: '0', relevance_threshold: '0', hate_threshold: '3' })).toMatchObject({
      body: {},
      reasons: ['guardrail_filters_not_taken'],
    });
  });
  it.each(['1.5', '-1', 'much'])('are reported with the invalid threshold %j', (grounding_threshold) => {
    expect(mapped({ ...raw, grounding_threshold })).toMatchObject({
      body: { bedrock_guardrails: { grounding_threshold: 0, relevance_threshold: 0.3 } },
      reasons: ['guardrail_thresholds_not_taken'],
    });
  });
});
