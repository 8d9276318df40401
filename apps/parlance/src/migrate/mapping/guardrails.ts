import type { Item } from '../source/dynamo-item.ts';
import type { Note } from './note.ts';

/** Content filters with strengths from 0 (off) to 3. Only the guardrail of Amazon Bedrock has them. */
const FILTERS = ['hate_threshold', 'insults_threshold', 'sexual_threshold', 'violence_threshold', 'misconduct_threshold'] as const;

/**
 * The check that answers stay grounded in the retrieved text, which both products have. The guardrail in Amazon Bedrock belongs to the stack of
 * the source, which is removed after a migration, so its address is not imported.
 */
export function guardrailsOf(raw: Item, notes: Note[]): Readonly<Record<string, unknown>> {
  if (raw['is_guardrail_enabled'] !== true) return {};
  const grounding = thresholdOf(raw['grounding_threshold']);
  const relevance = thresholdOf(raw['relevance_threshold']);
  const filters = FILTERS.filter((name) => Number(raw[name] ?? 0) > 0).map((name) => name.replace('_threshold', ''));
  if (filters.length > 0) notes.push({ reason: 'guardrail_filters_not_taken', detail: `${filters.join(', ')}: ${OWN_GUARDRAIL}` });
  const arn = String(raw['guardrail_arn'] ?? '');
  if (arn !== '') notes.push({ reason: 'guardrail_arn_not_taken', detail: `${arn} belongs to the stack of the source.` });
  if (grounding === null || relevance === null)
    notes.push({ reason: 'guardrail_thresholds_not_taken', detail: 'grounding_threshold and relevance_threshold must be from 0 to 1.' });
  const thresholds = { grounding_threshold: grounding ?? 0, relevance_threshold: relevance ?? 0 };
  const isChecked = thresholds.grounding_threshold > 0 || thresholds.relevance_threshold > 0;
  return isChecked ? { bedrock_guardrails: { is_guardrail_enabled: true, ...thresholds } } : {};
}

const OWN_GUARDRAIL = 'enter the guardrail_arn and guardrail_version of a guardrail of Amazon Bedrock that this installation may call.';

/** An export has numbers as texts. Null for an invalid number. */
function thresholdOf(raw: unknown): number | null {
  const threshold = Number(raw ?? 0);
  return threshold >= 0 && threshold <= 1 ? threshold : null;
}
