import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ReplyCompleted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { add, type Change, foreignProjection, put, ReadModels, table } from '@parlance/read-models';
import type { AsOf } from './as-of.ts';

/** What was spent in a month by one user, through one bot or by all, on one model or (model '') on all. */
export interface SpendRow {
  month: string;
  scope: 'all' | 'user' | 'bot';
  /** The user's or bot's id; '' for all. */
  id: string;
  model: string;
  nano_dollars: number;
  input_tokens: number;
  output_tokens: number;
}

/** That a user took part in something in a month: a conversation of theirs, or a bot they used. There or not, so a repeat counts once. */
interface PartRow {
  month: string;
  kind: 'conversation-of-user' | 'user-of-bot';
  id: string;
  /**
   * Of a conversation: its newest reply that is included. Events of one conversation come in order, so a plain put is right; those of
   * different conversations come in any order, so no row is shared by them.
   */
  position?: number;
  time?: string;
}

const spendRows = table<SpendRow>('spend', {
  ranked: ['month', 'scope', 'model', 'nano_dollars'],
  byModel: ['month', 'scope', 'id', 'model'],
});
const partRows = table<PartRow>('spend_parts', { byWhole: ['month', 'kind', 'id'], byPosition: ['position'] });

type Heard = CloudEvent<ReplyCompleted, 'parlance.inference.reply-completed.v1'>;

/** Money belongs to the month in which the tokens were used, whatever the conversation it was in. */
export const spend = foreignProjection<Heard>({
  name: 'spend',
  version: 2,
  tables: [spendRows, partRows],
  on: {
    'parlance.inference.reply-completed.v1': ({ time, sequence, data }) => {
      const month = time.slice(0, 7);
      const { user_id: user, bot_id: bot, conversation_id: conversation } = data;
      const position = Number.parseInt(sequence, 10);
      return [
        ...charge(month, 'all', '', data),
        ...charge(month, 'user', user, data),
        put(partRows, `${month}|c|${conversation}`, { month, kind: 'conversation-of-user', id: user, position, time }),
        ...(bot === null
          ? []
          : [...charge(month, 'bot', bot, data), put(partRows, `${month}|b|${bot}|${user}`, { month, kind: 'user-of-bot', id: bot })]),
      ];
    },
  },
});

function charge(month: string, scope: SpendRow['scope'], id: string, { model, usage, cost_nano_dollars }: ReplyCompleted): Change[] {
  const amounts = { nano_dollars: cost_nano_dollars, input_tokens: usage.input_tokens, output_tokens: usage.output_tokens };
  return ['', model].map((of) => add(spendRows, `${month}|${scope}|${id}|${of}`, amounts, { month, scope, id, model: of }));
}

export interface Spender extends SpendRow {
  readonly by_model: Readonly<Record<string, number>>;
  /** Conversations of a user, users of a bot. */
  readonly parts: number;
}

export interface MonthOfSpending {
  readonly as_of: AsOf | null;
  readonly total: Omit<Spender, 'parts'> | null;
  readonly users: readonly Spender[];
  readonly bots: readonly Spender[];
}

export class SpendOfMonth extends Query<MonthOfSpending> {
  constructor(
    readonly month: string,
    readonly topN: number,
  ) {
    super();
  }
}

const page = 1_000;

@QueryHandler(SpendOfMonth)
export class FindSpendOfMonth implements IQueryHandler<SpendOfMonth> {
  constructor(private readonly models: ReadModels) {}

  async execute({ month, topN }: SpendOfMonth): Promise<MonthOfSpending> {
    // Read first: what comes in while the rest is read makes the figures newer than this says, never older.
    const as_of = await this.newest();
    const [[all], users, bots] = await Promise.all([
      this.top(month, 'all', 1),
      this.top(month, 'user', topN),
      this.top(month, 'bot', topN),
    ]);
    return {
      as_of,
      total: all ? { ...all, by_model: await this.byModel(all) } : null,
      users: await Promise.all(users.map((row) => this.spender(row, 'conversation-of-user'))),
      bots: await Promise.all(bots.map((row) => this.spender(row, 'user-of-bot'))),
    };
  }

  /** The newest event that is included: the highest of what each conversation's row says. */
  private async newest(): Promise<AsOf | null> {
    const { rows } = await this.models.find(partRows, { index: 'byPosition', order: 'desc', limit: 1 });
    const { position, time } = rows[0] ?? {};
    return position === undefined || time === undefined ? null : { position, time };
  }

  private async top(month: string, scope: SpendRow['scope'], limit: number) {
    return (await this.models.find(spendRows, { index: 'ranked', where: { month, scope, model: '' }, order: 'desc', limit })).rows;
  }

  private async spender(row: SpendRow, kind: PartRow['kind']): Promise<Spender> {
    const [by_model, parts] = await Promise.all([this.byModel(row), this.count(row.month, kind, row.id)]);
    return { ...row, by_model, parts };
  }

  private async byModel({ month, scope, id }: SpendRow) {
    const { rows } = await this.models.find(spendRows, { index: 'byModel', where: { month, scope, id }, limit: page });
    return Object.fromEntries(rows.filter((row) => row.model !== '').map((row) => [row.model, row.nano_dollars]));
  }

  private async count(month: string, kind: PartRow['kind'], id: string): Promise<number> {
    let counted = 0;
    let after: Parameters<ReadModels['find']>[1]['after'] | null;
    do {
      const found = await this.models.find(partRows, {
        index: 'byWhole',
        where: { month, kind, id },
        limit: page,
        ...(after && { after }),
      });
      counted += found.rows.length;
      after = found.next;
    } while (after);
    return counted;
  }
}
