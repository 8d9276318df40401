import { setImmediate } from 'node:timers/promises';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { PersonalTokensById } from '../../projections/personal-tokens.ts';
import { termFields } from '../../workflows/personal-access.ts';

const MOST_TOKENS = 1_000;
/** Opening this many descriptions takes about 5 ms. */
const OPENED_AT_ONCE = 100;

class TokensBody {
  @IsArray() @ArrayMaxSize(MOST_TOKENS) @Length(1, 128, { each: true }) token_ids!: string[];
}

interface DescribedToken {
  readonly token_id: string;
  readonly user_id: string;
  readonly description: string;
  /** Null for a token without the scope `models`. */
  readonly call_terms: ReturnType<typeof termFields> | null;
}

/** Names tokens in administrators' figures. */
@Controller('internal/personal-tokens')
@Internal()
export class DescribedTokensController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** These tokens, without revoked ones. */
  @Post('described')
  @HttpCode(200)
  async described(@Body() { token_ids }: TokensBody): Promise<{ tokens: readonly DescribedToken[] }> {
    const rows = await this.queries.execute(new PersonalTokensById(token_ids));
    const tokens: DescribedToken[] = [];
    for (const { token_id, user_id, description, terms } of rows) {
      const opened = (await this.vault.openOften(description as Sealed)) ?? '';
      tokens.push({ token_id, user_id, description: opened, call_terms: terms && termFields(terms) });
      if (tokens.length % OPENED_AT_ONCE === 0) await setImmediate();
    }
    return { tokens };
  }
}
