import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { IdParam, Internal } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, Length, Max, Min, ValidateNested } from 'class-validator';
import { BudgetLending } from '../workflows/budget-lending.ts';

/** The most blocks of one budget that a borrower closes at once. */
const MOST_CLOSED = 1_000;
const MOST_NANO_DOLLARS = Number.MAX_SAFE_INTEGER;

class ClosedBody {
  @Length(1, 100) block!: string;
  /** Absent or null if unknown. */
  @IsOptional() @IsInt() @Min(0) uses?: number | null;
}

class ShrunkBody {
  @Length(1, 100) block!: string;
  @IsInt() @Min(0) @Max(MOST_NANO_DOLLARS) most!: number;
}

class CloseBody {
  @IsArray() @ArrayMaxSize(MOST_CLOSED) @ValidateNested({ each: true }) @Type(() => ClosedBody) closed!: ClosedBody[];
  /** Processes of earlier releases report none. */
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_CLOSED) @ValidateNested({ each: true }) @Type(() => ShrunkBody) shrunk?: ShrunkBody[];
}

class LendBody extends CloseBody {
  @Length(1, 128) holder!: string;
  @IsInt() @Min(1) @Max(MOST_NANO_DOLLARS) needed!: number;
  @IsInt() @Min(0) @Max(MOST_NANO_DOLLARS) wanted!: number;
}

const reportsOf = ({ closed, shrunk = [] }: CloseBody) => ({ closed: closed.map(({ block, uses = null }) => ({ block, uses })), shrunk });

/** Lends blocks of budgets to the processes that accept messages. Amounts are in nano-dollars. */
@Controller('internal/budgets')
@Internal()
export class InternalBudgetsController {
  constructor(private readonly lending: BudgetLending) {}

  @Post(':budgetId/lend')
  @HttpCode(200)
  async lend(@IdParam('budgetId') budgetId: string, @Body() body: LendBody) {
    const { holder, needed, wanted } = body;
    const { block, amount, usableMillis, isBeyond, resetsAt } = await this.lending.lend(
      budgetId,
      holder,
      { needed, wanted },
      reportsOf(body),
    );
    return { block, amount, usable_millis: usableMillis, is_beyond: isBeyond, resets_at: Instant.toSeconds(resetsAt) };
  }

  @Post(':budgetId/close')
  @HttpCode(204)
  async close(@IdParam('budgetId') budgetId: string, @Body() body: CloseBody): Promise<void> {
    await this.lending.close(budgetId, reportsOf(body));
  }
}
