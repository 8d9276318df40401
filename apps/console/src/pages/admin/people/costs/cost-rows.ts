import type { CostSummary } from '@parlance/client/types';
import { csvOf } from '../../../../api/csv.ts';

/** The ID of the row for everything that is not listed. */
export const OTHERS = '';

/** A row of one of the tables. */
export interface CostRow {
  readonly id: string;
  /** Null for an erased user or bot. */
  readonly name: string | null;
  readonly cost: number;
  /** Null for models. */
  readonly tokens: number | null;
  readonly count: number | null;
  /** Null if the previous period is no longer kept, or is not compared. */
  readonly before: number | null;
  /** The title of the published bot of an API key. */
  readonly botTitle?: string | null;
  /** The address of the user of an access token. */
  readonly owner?: string | null;
}

export interface CostTables {
  readonly users: readonly CostRow[];
  readonly bots: readonly CostRow[];
  readonly models: readonly CostRow[];
  readonly keys: readonly CostRow[];
  /** Calls of models by programs. Empty without any. */
  readonly accessTokens: readonly CostRow[];
  readonly costCentres: readonly CostRow[];
  readonly tags: readonly CostRow[];
}

interface Both {
  readonly as_billed: number;
  readonly as_corrected: number;
}

/** The tables of a summary, with the amounts of the previous period. */
export function costTables(now: CostSummary, before: CostSummary | undefined, isCorrected: boolean): CostTables {
  const amount = (each: Both) => (isCorrected ? each.as_corrected : each.as_billed);
  const models = (summary: CostSummary) => (isCorrected ? summary.by_model_as_corrected : summary.by_model);
  const amountBefore = (each: { before?: Both | null | undefined }) => (each.before ? amount(each.before) : null);
  const tokens = (each: { input_tokens: number; output_tokens: number }) => each.input_tokens + each.output_tokens;
  const byKeys = (each: CostSummary) => (isCorrected ? each.total_as_corrected_by_keys : each.total_cost_by_keys);
  const all = {
    cost: amount(now),
    before: before === undefined ? null : amount(before),
    tokens: now.total_input_tokens + now.total_output_tokens,
  };
  const allByKeys = { cost: byKeys(now), before: before === undefined ? null : byKeys(before), tokens: null };
  const users = now.top_users.map((each) => ({
    id: each.user_id,
    name: each.email,
    cost: amount(each),
    tokens: tokens(each),
    count: each.conversation_count,
    before: amountBefore(each),
  }));
  const bots = now.top_bots.map((each) => ({
    id: each.bot_id,
    name: each.title,
    cost: amount(each),
    tokens: tokens(each),
    count: each.user_count,
    before: amountBefore(each),
  }));
  const keys = now.by_key.map((each) => ({
    id: each.api_key_id,
    name: each.description,
    cost: amount(each),
    tokens: tokens(each),
    count: null,
    before: amountBefore(each),
    botTitle: each.bot_title,
  }));
  const split = (each: Both & { input_tokens: number; output_tokens: number }, id: string, name: string | null) => ({
    id,
    name,
    cost: amount(each),
    tokens: tokens(each),
    count: null,
    before: null,
  });
  return {
    accessTokens: now.by_token.map((each) => ({ ...split(each, each.token_id, each.description), owner: each.email })),
    costCentres: now.by_cost_centre.map((each) => split(each, each.cost_centre, each.cost_centre)),
    tags: now.by_tag.map((each) => split(each, JSON.stringify([each.name, each.value]), `${each.name}: ${each.value}`)),
    users: withOthers(users, all),
    bots: withOthers(bots, all),
    models: Object.entries(models(now))
      .map(([id, cost]) => ({
        id,
        name: id,
        cost,
        tokens: null,
        count: null,
        before: before === undefined ? null : (models(before)[id] ?? 0),
      }))
      .sort((one, other) => other.cost - one.cost),
    keys: withOthers(keys, allByKeys),
  };
}

/** The sums of many amounts differ by less. */
const ROUNDING = 1e-6;

/** Adds a row for the cost that no row has, because the list is cut or the cost belongs to none of its kind. */
function withOthers(
  rows: readonly CostRow[],
  all: { readonly cost: number; readonly before: number | null; readonly tokens: number | null },
): readonly CostRow[] {
  const rest = (total: number, of: (row: CostRow) => number | null) => rows.reduce((left, row) => left - (of(row) ?? 0), total);
  const cost = rest(all.cost, (row) => row.cost);
  if (cost <= all.cost * ROUNDING) return rows;
  const isBeforeKnown = all.before !== null && rows.every(({ before }) => before !== null);
  const others = {
    id: OTHERS,
    name: 'others',
    cost,
    tokens: all.tokens === null ? null : rest(all.tokens, (row) => row.tokens),
    count: null,
    before: isBeforeKnown
      ? Math.max(
          0,
          rest(all.before ?? 0, (row) => row.before),
        )
      : null,
  };
  return [...rows, others];
}

/** All tables in one file. */
export function costCsv({ users, bots, models, keys, accessTokens, costCentres, tags }: CostTables): string {
  const lines = (kind: string, rows: readonly CostRow[]) =>
    rows.map(({ id, name, cost, before, tokens }) => [kind, id, name, cost, before, tokens] as const);
  return csvOf(
    ['kind', 'id', 'name', 'cost', 'cost_before', 'tokens'],
    [
      ...lines('user', users),
      ...lines('bot', bots),
      ...lines('model', models),
      ...lines('api_key', keys),
      ...lines('token', accessTokens),
      ...lines('cost_centre', costCentres),
      ...lines(
        'tag',
        tags.map((row) => ({ ...row, id: row.name ?? '' })),
      ),
    ],
  );
}
