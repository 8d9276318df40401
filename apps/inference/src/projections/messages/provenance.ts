import { type Change, put, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { ConversationEvent, Provenance } from '../../domain/conversation-events.ts';

/** How a reply was produced, as far as its message does not record it. A row of its own keeps the rows of messages short. */
export interface ProvenanceRow extends Omit<Provenance, 'millis'> {
  readonly millis: Omit<Provenance['millis'], 'total'>;
  /** The model's answer, if the guardrail or a policy changed it. Sealed. */
  readonly blocked?: string;
}

export const provenanceRows = table<ProvenanceRow>('provenance');

type Completed = Extract<ConversationEvent, { type: 'ReplyCompleted' }>;

/** The part that is stored in the message's row. */
export function provenanceInMessage({ provenance }: Completed): { took_millis?: number; guardrail?: 'blocked' | 'masked' } {
  if (!provenance) return {};
  const { guardrail, policies = [], millis } = provenance;
  const actions = policies.flatMap(({ stage, action }) => (stage === 'output' ? action : []));
  const isBlocked = guardrail?.verdict === 'blocked' || actions.includes('block');
  const isMasked = guardrail?.verdict === 'masked' || actions.includes('mask');
  return { took_millis: millis.total, ...(isBlocked ? { guardrail: 'blocked' } : isMasked && { guardrail: 'masked' }) };
}

/** Replies of the offline model without a bot have no row, because there is nothing else to record. */
export function withProvenance(key: string, { provenance, blocked }: Completed): Change[] {
  if (!provenance) return [];
  const { total: _, ...millis } = provenance.millis;
  const row = { ...provenance, millis, ...(blocked !== undefined && { blocked }) };
  return Object.keys(row).length === 1 && Object.keys(millis).length === 0 ? [] : [put(provenanceRows, key, row)];
}

/** Null for a reply without such a row. */
export const ProvenanceOf = query('ProvenanceOf', async (models, key: string): Promise<ProvenanceRow | null> =>
  models.get(provenanceRows, key),
);
