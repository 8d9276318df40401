import type { Instant } from '@parlance/decider';
import { firstMonthKept } from '@parlance/contracts';
import { firstIdAt, idInStream } from '@parlance/event-store';
import { type At, type Change, type Cursor, type Page, patch, projection, put, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { ConversationEvent, Usage } from '../../domain/conversation-events.ts';
import type { UsedApi } from '../../domain/conversation-owner.ts';
import type { CallRecordEvent } from '../../domain/calls/call-record.ts';
import type { ModelCheckEvent } from '../../domain/checks/model-check.ts';
import type { KnowledgeChargeEvent } from '../../domain/knowledge-charge.ts';
import type { CallPlace, RestatementEvent } from '../../domain/restatement/restatement.ts';

type CallCompleted = Extract<CallRecordEvent, { type: 'CallCompleted' }>;
export type Charged =
  | Extract<ConversationEvent, { type: 'ReplyCompleted' | 'TokensCharged' }>
  | KnowledgeChargeEvent
  | ModelCheckEvent
  | CallCompleted;

/** A charge whose provider reported more tokens than the call seems able to use. */
export interface SuspiciousChargeRow {
  /** ID of the event with the charge. */
  readonly charge_id: string;
  readonly position: number;
  readonly at: Instant;
  readonly user_id: string;
  readonly bot_id: string | null;
  readonly api: UsedApi | null;
  /** Absent for a charge that is no call of a model by a program. */
  readonly call?: CallPlace;
  /** Null for the knowledge of a bot and the check of a model. */
  readonly conversation_id: string | null;
  readonly purpose: string;
  readonly model: string;
  readonly usage: Usage;
  /** Searches of a reranker, which has its own prices. Null for a model. */
  readonly units: number | null;
  /** Blocks of budgets in which it was reserved. Absent if no budget applied. */
  readonly budgets?: readonly string[];
  /** The cost as billed. */
  readonly nano_dollars: number;
  readonly is_corrected: boolean;
  readonly corrected_nano_dollars: number | null;
  readonly corrected_at: Instant | null;
}

/** Keyed by their IDs, which begin with their time. */
const suspiciousChargeRows = table<SuspiciousChargeRow>('suspicious_charges', { byTime: ['at'], byState: ['is_corrected', 'at'] });

function charged(event: Charged, { id, position, stream, metadata: { at } }: At): readonly Change[] {
  const { usage, userId, model, costNanoDollars } = event;
  if (!usage.suspicious) return [];
  return [
    put(suspiciousChargeRows, id, {
      charge_id: id,
      position,
      at,
      user_id: userId,
      bot_id: botOf(event),
      api: ('api' in event && event.api) || null,
      ...placeOfCall(event),
      conversation_id: stream.startsWith('conversation-') ? idInStream(stream) : null,
      purpose: purposeOf(event),
      model,
      usage,
      units: 'units' in event ? (event.units ?? null) : null,
      ...('budgets' in event && event.budgets && { budgets: event.budgets }),
      nano_dollars: costNanoDollars,
      is_corrected: false,
      corrected_nano_dollars: null,
      corrected_at: null,
    }),
  ];
}

/** A call without a bot has no field for it. */
export const botOf = (event: Charged): string | null => ('botId' in event ? event.botId : null);

/** Where a call of a model by a program belongs. Empty for another charge. */
export function placeOfCall(event: Charged): { readonly call?: CallPlace } {
  if (event.type !== 'CallCompleted') return {};
  const { tokenId, costCentre, tags } = event;
  return { call: { tokenId, ...(costCentre !== undefined && { costCentre }), ...(tags && { tags }) } };
}

function purposeOf(event: Charged): string {
  if (event.type === 'ModelChecked') return 'check';
  if (event.type === 'CallCompleted') return 'call';
  return event.type === 'ReplyCompleted' ? 'chat' : event.purpose;
}

export const suspiciousCharges = projection<Charged | RestatementEvent>({
  name: 'suspicious-charges',
  version: 3,
  tables: [suspiciousChargeRows],
  // Kept as long as the figures of their hours.
  outdated: (now) => [{ table: suspiciousChargeRows, key: firstIdAt(Date.parse(firstMonthKept(now))) }],
  on: {
    ReplyCompleted: charged,
    TokensCharged: charged,
    KnowledgeCharged: charged,
    ModelChecked: charged,
    CallCompleted: charged,
    ChargeCorrected: ({ chargeId, costNanoDollars, at }) => [
      patch(suspiciousChargeRows, chargeId, { is_corrected: true, corrected_nano_dollars: costNanoDollars, corrected_at: at }),
    ],
  },
});

export const SuspiciousCharge = query('SuspiciousCharge', async (models, chargeId: string): Promise<SuspiciousChargeRow | null> => {
  return (await models.get(suspiciousChargeRows, chargeId)) ?? null;
});

export interface SuspiciousChargesFilter {
  readonly limit: number;
  readonly isCorrected: boolean | null;
  readonly after?: Cursor;
}

/** Suspicious charges, the newest first. */
export const SuspiciousCharges = query(
  'SuspiciousCharges',
  async (models, { isCorrected, ...page }: SuspiciousChargesFilter): Promise<Page<SuspiciousChargeRow>> =>
    models.find(suspiciousChargeRows, {
      ...(isCorrected === null ? { index: 'byTime' } : { index: 'byState', where: { is_corrected: isCorrected } }),
      order: 'desc',
      ...page,
    }),
);
