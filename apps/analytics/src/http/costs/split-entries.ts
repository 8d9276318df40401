import { Injectable } from '@nestjs/common';
import type { Split } from '../../projections/spend/splits.ts';
import { costCentreIn, tagIn } from '../../projections/spend/splits.ts';
import type { Spender } from '../../projections/spend.ts';
import { SubjectNames } from '../../workflows/subject-names.ts';
import { CostEntries, figures } from './cost-entries.ts';
import type { CostCentreCost, TagCost, TokenCost } from './split-answers.ts';

/** The cost of calls of models by programs, split by token, cost centre and tag, with names. */
@Injectable()
export class SplitEntries {
  constructor(
    private readonly entries: CostEntries,
    private readonly names: SubjectNames,
  ) {}

  async of({ token, cost_centre, tag }: Readonly<Record<Split, readonly Spender[]>>) {
    return { by_token: await this.ofTokens(token), by_cost_centre: cost_centre.map(ofCostCentre), by_tag: tag.map(ofTag) };
  }

  async ofTokens(rows: readonly Spender[]): Promise<TokenCost[]> {
    const described = await this.names.ofTokens(rows.map(({ id }) => id));
    const userOf = ({ id, user_id }: Spender): string => user_id ?? described.get(id)?.user_id ?? '';
    const emails = await this.entries.emailsOf([...new Set(rows.map(userOf))]);
    return rows.map((row) => ({
      token_id: row.id,
      description: described.get(row.id)?.description ?? null,
      user_id: userOf(row),
      email: emails.get(userOf(row)) ?? null,
      ...figures(row),
    }));
  }
}

const ofCostCentre = (row: Spender): CostCentreCost => ({ cost_centre: costCentreIn(row.id), ...figures(row) });

const ofTag = (row: Spender): TagCost => ({ ...tagIn(row.id), ...figures(row) });
