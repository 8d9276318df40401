import { type Decider, type Decision, type Instant, isLeased, refuse } from '@parlance/decider';
import type { BegunCall } from '../calls/call-record.ts';
import type { UsedApi } from '../conversation-owner.ts';
import type { Price } from '../model-prices.ts';

/** The prices of each model at the moment of a restatement, in the order in which they apply. */
export type PricesByModel = Readonly<Record<string, readonly Price[]>>;

/** The usage to calculate again, and the prices, so that every worker gets the same result. */
export interface RestatementTerms {
  readonly id: string;
  /** The restatement's number, from 1. */
  readonly number: number;
  readonly from: Instant;
  /** Null for all models. */
  readonly model: string | null;
  readonly isDry: boolean;
  readonly prices: PricesByModel;
  /** The last position of the log that it includes. Later usage is charged at the prices of its own time. */
  readonly until: number;
}

/** The difference between the new and the earlier corrected cost of the usage in an hour. */
export interface Correction {
  /** The hour in UTC, such as 2026-11-21T09. */
  readonly hour: string;
  readonly userId: string;
  readonly botId: string | null;
  readonly api?: UsedApi;
  /** For calls of models by programs. */
  readonly call?: CallPlace;
  readonly model: string;
  readonly nanoDollars: number;
}

/** What reports split the cost of a call by, besides its user and model. */
export type CallPlace = Pick<BegunCall, 'tokenId' | 'costCentre' | 'tags'>;

/** A charge whose cost an administrator corrects. */
export interface CorrectedCharge {
  /** ID of the event with the charge. */
  readonly chargeId: string;
  /** Its payer, its model and the hour in which its tokens were used. */
  readonly place: Omit<Correction, 'nanoDollars'>;
  /** Blocks of budgets in which the cost was reserved. Absent if no budget applied. */
  readonly budgets?: readonly string[];
}

/** Usage and cost of one model. Input tokens count all input, cached included. */
export interface ModelSums {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly asBilled: number;
  /** At the prices of earlier restatements. */
  readonly before: number;
  readonly asCorrected: number;
}
export type SumsByModel = Readonly<Record<string, ModelSums>>;

/** One worker's lease of a restatement. */
interface Lease {
  readonly claim: string;
  readonly leaseUntil: Instant;
}

export type RestatementCommand =
  | { type: 'Request'; id: string; from: Instant; model: string | null; isDry: boolean; prices: PricesByModel; until: number; now: Instant }
  | ({ type: 'Claim'; id: string; now: Instant } & Lease)
  | ({
      type: 'Advance';
      id: string;
      after: number;
      to: number;
      sums: SumsByModel;
      corrections: readonly Correction[];
      now: Instant;
    } & Lease)
  /** `before`: the cost after the restatements up to `number`, which is the `lastCompleted` of the state that it was read from. */
  | ({
      type: 'CorrectCharge';
      number: number;
      asBilled: number;
      before: number;
      costNanoDollars: number;
      now: Instant;
    } & CorrectedCharge);

export type RestatementEvent =
  | ({ type: 'RestatementRequested'; at: Instant } & RestatementTerms)
  | ({ type: 'RestatementClaimed'; id: string } & Lease)
  | { type: 'CostsRestated'; id: string; corrections: readonly Correction[] }
  /** The log was read up to `to`. The sums cover the part since the last such event. Renews the lease. */
  | ({ type: 'RestatementAdvanced'; id: string; number: number; to: number; sums: SumsByModel } & Lease)
  | { type: 'RestatementCompleted'; id: string; number: number; at: Instant }
  /**
   * An administrator stated the cost of one charge. `correction` is the difference from the earlier cost. No restatement changes this cost.
   * `spentNanoDollars`: the difference from what budgets have spent for it, which is the cost as billed or as last stated. Absent in older events.
   */
  | {
      type: 'ChargeCorrected';
      chargeId: string;
      at: Instant;
      costNanoDollars: number;
      correction: Correction;
      spentNanoDollars?: number;
      budgets?: readonly string[];
    };

/** The corrected prices of a model for usage from a moment up to a position of the log. */
export interface Restated {
  readonly from: Instant;
  readonly until: number;
  readonly prices: readonly Price[];
}

export interface Restatements {
  readonly number: number;
  readonly running: (RestatementTerms & { readonly position: number; readonly lease: Lease | null }) | null;
  /** The restated prices by model, the oldest first. The last ones that cover the usage apply. */
  readonly restated: Readonly<Record<string, readonly Restated[]>>;
  /** The costs of charges that an administrator has corrected, by their IDs. Absent if there are none. */
  readonly corrected?: Readonly<Record<string, number>>;
}

/** Prices of one restatement, of all models together. */
export const MOST_RESTATED_PRICES = 2_000;
/** Restatements of one model that apply at the same time. One that begins before others replaces them. */
export const MOST_RESTATED = 50;
/** Charges that administrators may correct one by one. All are in the state. */
export const MOST_CORRECTED_CHARGES = 1_000;

/** All restatements of an installation. One runs at a time, because each starts from the costs that the one before has corrected. */
export const restatements: Decider<RestatementCommand, RestatementEvent, Restatements> = {
  initialState: { number: 0, running: null, restated: {} },
  snapshots: { every: 20, shape: 'restatements@2' },

  decide(command, state) {
    const { number, running, restated } = state;
    switch (command.type) {
      case 'Request': {
        const { type: _, now, ...terms } = command;
        if (running) return isRunning();
        if (Object.values(terms.prices).flat().length > MOST_RESTATED_PRICES)
          return refuse(
            'conflict',
            'too_many_prices',
            'There are too many prices since this moment for one restatement. Restate one model at a time.',
          );
        if (!terms.isDry && Object.keys(terms.prices).some((model) => isFull(restated[model], terms.from)))
          return refuse(
            'conflict',
            'too_many_restatements',
            'A model has been restated too often from different moments. Restate it from an earlier moment.',
          );
        return [{ type: 'RestatementRequested', at: now, number: number + 1, ...terms }];
      }
      case 'Claim': {
        const { id, claim, leaseUntil, now } = command;
        if (running?.id !== id) return [];
        if (running.lease?.claim !== claim && isLeased(running.lease?.leaseUntil, now)) return takenOver();
        return [{ type: 'RestatementClaimed', id, claim, leaseUntil }];
      }
      case 'Advance': {
        const { id, claim, leaseUntil, after, to, sums, corrections, now } = command;
        if (running?.id !== id || running.lease?.claim !== claim || running.position !== after) return takenOver();
        const { number: its } = running;
        return [
          ...(running.isDry ? [] : partsOf(corrections).map((part) => ({ type: 'CostsRestated', id, corrections: part }) as const)),
          { type: 'RestatementAdvanced', id, number: its, claim, leaseUntil, to, sums },
          ...(to >= running.until ? [{ type: 'RestatementCompleted', id, number: its, at: now } as const] : []),
        ];
      }
      case 'CorrectCharge':
        // A restatement adds its differences to the costs that it found, so no cost may change while it runs.
        return running || command.number !== number ? isRunning() : chargeCorrected(command, state.corrected);
    }
  },

  evolve(state, event) {
    const { running } = state;
    switch (event.type) {
      case 'RestatementRequested': {
        const { type: _, at: __, ...terms } = event;
        return { ...state, number: terms.number, running: { ...terms, position: 0, lease: null } };
      }
      case 'RestatementClaimed':
        return { ...state, running: running && { ...running, lease: leaseOf(event) } };
      case 'CostsRestated':
        return state;
      case 'ChargeCorrected':
        return { ...state, corrected: { ...state.corrected, [event.chargeId]: event.costNanoDollars } };
      case 'RestatementAdvanced':
        return { ...state, running: running && { ...running, position: event.to, lease: leaseOf(event) } };
      case 'RestatementCompleted':
        return { ...state, running: null, restated: running && !running.isDry ? withPrices(state.restated, running) : state.restated };
    }
  },
};

function chargeCorrected(
  { chargeId, place, budgets, asBilled, before, costNanoDollars, now: at }: Extract<RestatementCommand, { type: 'CorrectCharge' }>,
  corrected: Restatements['corrected'] = {},
): Decision<RestatementEvent> {
  const nanoDollars = costNanoDollars - (corrected[chargeId] ?? before);
  if (nanoDollars === 0 && chargeId in corrected) return [];
  if (!(chargeId in corrected) && Object.keys(corrected).length >= MOST_CORRECTED_CHARGES)
    return refuse('conflict', 'too_many_corrected_charges', `At most ${MOST_CORRECTED_CHARGES} charges can be corrected one by one.`);
  const spentNanoDollars = costNanoDollars - (corrected[chargeId] ?? asBilled);
  const correction = { ...place, nanoDollars };
  return [{ type: 'ChargeCorrected', chargeId, at, costNanoDollars, correction, spentNanoDollars, ...(budgets && { budgets }) }];
}

/** The number of the last restatement whose prices are in the state. */
export const lastCompleted = ({ number, running }: Restatements): number => (running ? running.number - 1 : number);

const isRunning = () =>
  refuse('conflict', 'restatement_running', 'Another restatement is running. Wait until its status is completed, and repeat.');

const leaseOf = ({ claim, leaseUntil }: Lease): Lease => ({ claim, leaseUntil });

const takenOver = () => refuse('conflict', 'restatement_taken_over', 'Another worker has taken over this restatement.');

/** Corrections in one event. The public event has the same limit. */
const CORRECTIONS_OF_AN_EVENT = 25;

function partsOf(corrections: readonly Correction[]): readonly (readonly Correction[])[] {
  return Array.from({ length: Math.ceil(corrections.length / CORRECTIONS_OF_AN_EVENT) }, (_, index) =>
    corrections.slice(index * CORRECTIONS_OF_AN_EVENT, (index + 1) * CORRECTIONS_OF_AN_EVENT),
  );
}

const isFull = (restated: readonly Restated[] = [], from: Instant): boolean =>
  restated.length >= MOST_RESTATED && !restated.some((earlier) => isReplaced(earlier, from));

/** A later restatement of the same model covers an earlier one that does not begin before it. */
const isReplaced = (earlier: Restated, from: Instant): boolean => earlier.from >= from;

function withPrices(restated: Restatements['restated'], { from, until, prices }: RestatementTerms): Restatements['restated'] {
  const added = Object.entries(prices).map(([model, its]) => {
    // If the first price begins later, earlier restatements still apply to the usage before it.
    const hasAll = its[0] !== undefined && its[0].from <= from;
    const kept = (restated[model] ?? []).filter((earlier) => !hasAll || !isReplaced(earlier, from));
    return [model, [...kept, { from, until, prices: its }]] as const;
  });
  return { ...restated, ...Object.fromEntries(added) };
}

export const RESTATEMENTS_STREAM = 'restatements';
