import { type Change, put, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { ConversationEvent, Provenance } from '../../domain/conversation-events.ts';

/** How a reply was made, beside what its message has. Apart from it, so that transcripts read short rows. */
export interface ProvenanceRow extends Omit<Provenance, 'millis'> {
  readonly millis: Omit<Provenance['millis'], 'total'>;
  /** Sealed: what the model answered, where the guardrail replaced it. */
  readonly blocked?: string;
}

export const provenanceRows = table<ProvenanceRow>('provenance');

type Completed = Extract<ConversationEvent, { type: 'ReplyCompleted' }>;

/** The part that the message itself has. */
export function madeAs({ provenance }: Completed): { took_millis?: number; guardrail?: 'blocked' | 'masked' } {
  if (!provenance) return {};
  const verdict = provenance.guardrail?.verdict;
  return { took_millis: provenance.millis.total, ...(verdict !== undefined && verdict !== 'passed' && { guardrail: verdict }) };
}

/** Replies of the offline model without a bot have no row, because there is nothing more to tell of them. */
export function withProvenance(key: string, { provenance, blocked }: Completed): Change[] {
  if (!provenance) return [];
  const { total: _, ...millis } = provenance.millis;
  const row = { ...provenance, millis, ...(blocked !== undefined && { blocked }) };
  return Object.keys(row).length === 1 && Object.keys(millis).length === 0 ? [] : [put(provenanceRows, key, row)];
}

/** Null for a reply of which nothing is kept beside its message. */
export const ProvenanceOf = query('ProvenanceOf', async (models, key: string): Promise<ProvenanceRow | null> =>
  models.get(provenanceRows, key),
);
