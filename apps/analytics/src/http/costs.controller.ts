import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import { Answers, Summary } from '@parlance/openapi';
import { AuditedRead, Limit, Needs } from '@parlance/http';
import { Clock } from '@parlance/foundation';
import { ServiceCalls } from '@parlance/calls';
import { dollars } from '@parlance/money';
import { IsOptional, Matches } from 'class-validator';
import { NamesOf } from '../projections/directory.ts';
import { type Spender, SpendOfMonth } from '../projections/spend.ts';
import { CostSummaryAnswer } from './answers.ts';

class CostSummaryQuery {
  @IsOptional()
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/, { message: 'must be a month, YYYY-MM' })
  period?: string;
  @Limit(100) top_n: number = 10;
}

@Controller('admin/costs')
export class CostsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly calls: ServiceCalls,
  ) {}

  @Get('summary')
  @Needs('Admin')
  @AuditedRead('view_costs', 'costs')
  @Summary('Get the cost of a month, with the users and bots that cost most.')
  @Answers(200, CostSummaryAnswer)
  async summary(@Query() { period, top_n }: CostSummaryQuery): Promise<CostSummaryAnswer> {
    const month = period ?? Instant.toString(this.clock.now()).slice(0, 7);
    const { as_of, total, users, bots } = await this.queries.execute(new SpendOfMonth(month, top_n));
    const names = await this.queries.execute(
      new NamesOf(
        users.map((row) => row.id),
        bots.map((row) => row.id),
      ),
    );
    const titles = await this.titlesOf(bots.map((row) => row.id));
    return {
      as_of,
      period: month,
      currency: 'USD',
      total_cost: dollars(total?.nano_dollars ?? 0),
      total_input_tokens: total?.input_tokens ?? 0,
      total_output_tokens: total?.output_tokens ?? 0,
      by_model: inDollars(total?.by_model ?? {}),
      top_users: await Promise.all(
        users.map(async (row) => ({
          user_id: row.id,
          email: await this.opened(names.emails.get(row.id)),
          ...figures(row),
          conversation_count: row.parts,
        })),
      ),
      top_bots: bots.map((row) => ({
        bot_id: row.id,
        title: titles[row.id] ?? null,
        owner_user_id: names.owners.get(row.id) ?? null,
        ...figures(row),
        user_count: row.parts,
      })),
    };
  }

  /** Titles of bots that are not deleted. The service of bots has them, because they are sealed and may change. */
  private async titlesOf(botIds: readonly string[]): Promise<Readonly<Record<string, string>>> {
    if (botIds.length === 0) return {};
    return (await this.calls.post<{ titles: Readonly<Record<string, string>> }>('bots', '/internal/bots/titles', { bot_ids: botIds }))
      .titles;
  }

  /** Null for an erased user, and for a user whose address has not arrived yet. */
  private async opened(sealed: string | undefined): Promise<string | null> {
    return sealed === undefined ? null : this.vault.open(sealed as Sealed);
  }
}

const figures = ({ nano_dollars, input_tokens, output_tokens, by_model }: Spender) => ({
  total_cost: dollars(nano_dollars),
  input_tokens,
  output_tokens,
  by_model: inDollars(by_model),
});

const inDollars = (byModel: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(byModel).map(([model, nano]) => [model, dollars(nano)]));
