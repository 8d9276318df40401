import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { inTurns } from '@parlance/event-loop';
import { dollars } from '@parlance/money';
import { type Sealed, Vault } from '@parlance/privacy';
import { NamesOf } from '../../projections/directory.ts';
import { SubjectNames } from '../../workflows/subject-names.ts';
import { BotsOfKeys, correctedCost, type Spender } from '../../projections/spend.ts';
import { type BotCost, inDollars, type KeyCost, type UserCost } from '../answers.ts';

/** The number of addresses that are opened concurrently. Opening one takes about 1.5 ms if its key is not in memory. */
const OPENED_AT_ONCE = 5;

/** The cost of a user, a bot or an API key, with its names. */
@Injectable()
export class CostEntries {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly names: SubjectNames,
  ) {}

  async ofUsers(rows: readonly Spender[]): Promise<UserCost[]> {
    const emails = await this.emailsOf(rows.map(({ id }) => id));
    return rows.map((row) => ({ user_id: row.id, email: emails.get(row.id) ?? null, ...figures(row), conversation_count: row.parts }));
  }

  /** The addresses of users. Null for an erased user, and for a user whose address has not arrived yet. */
  async emailsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const { emails } = await this.queries.execute(new NamesOf(ids, []));
    return new Map(await inTurns(ids, OPENED_AT_ONCE, async (id) => [id, await this.opened(emails.get(id))] as const));
  }

  async ofBots(rows: readonly Spender[]): Promise<BotCost[]> {
    const ids = rows.map((row) => row.id);
    const { owners } = await this.queries.execute(new NamesOf([], ids));
    const titles = await this.names.ofBots(ids);
    return rows.map((row) => ({
      bot_id: row.id,
      title: titles.get(row.id) ?? null,
      owner_user_id: owners.get(row.id) ?? null,
      ...figures(row),
      user_count: row.parts,
    }));
  }

  async ofKeys(rows: readonly Spender[]): Promise<KeyCost[]> {
    const ids = rows.map((row) => row.id);
    const bots = await this.queries.execute(new BotsOfKeys(ids));
    const [titles, descriptions] = await Promise.all([
      this.names.ofBots([...new Set([...bots.values()].map(({ bot_id }) => bot_id))]),
      this.names.ofKeys(ids),
    ]);
    return rows.map((row) => {
      const bot_id = bots.get(row.id)?.bot_id ?? null;
      return {
        api_key_id: row.id,
        description: descriptions.get(row.id) ?? null,
        bot_id,
        bot_title: (bot_id && titles.get(bot_id)) || null,
        ...figures(row),
      };
    });
  }

  private async opened(sealed: string | undefined): Promise<string | null> {
    return sealed === undefined ? null : this.vault.open(sealed as Sealed);
  }
}

/** The cost as it was billed, and the cost after corrections. */
export const bothOf = (figures: { readonly nano_dollars: number; readonly corrections?: number }) => ({
  as_billed: dollars(figures.nano_dollars),
  as_corrected: dollars(correctedCost(figures)),
});

export const figures = ({ by_model, corrected_by_model, ...row }: Spender) => ({
  total_cost: dollars(row.nano_dollars),
  ...bothOf(row),
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  by_model: inDollars(by_model),
  by_model_as_corrected: inDollars(corrected_by_model),
});
