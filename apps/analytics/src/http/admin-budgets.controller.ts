import { Body, Controller, Delete, Get, Headers, HttpCode, Put, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Refusal, refuse } from '@parlance/decider';
import {
  acceptsCsv,
  asksForAbsence,
  Audited,
  AuditedRead,
  csv,
  derivedId,
  IdParam,
  IsDollars,
  IsUlid,
  isUlid,
  Needs,
  PageQuery,
  PageTokens,
  requireMatch,
} from '@parlance/http';
import { PERIODS } from '@parlance/limits';
import { nanoDollars } from '@parlance/money';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsIn, IsOptional, Length, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ExecuteBudget } from '../commands/aggregates.ts';
import { budgetNotFound, type BudgetTerms, type ChangingTerms, MODES, SCOPES, termsStale } from '../domain/budget.ts';
import { BudgetList, type BudgetRow, CountBudgets, MOST_BUDGETS } from '../projections/budgets.ts';
import { BudgetAnswer, BudgetAnswers, digitsOf, tagOf } from './budget-answers.ts';
import { SubjectNames } from '../workflows/subject-names.ts';
import { BudgetLending } from '../workflows/budget-lending.ts';
import { KnownSubjects } from '../workflows/known-subjects.ts';

/** The highest limit, in dollars per period. */
const HIGHEST_LIMIT = 9_000_000;

/** How a subject is checked, and why it is refused. */
const SUBJECTS = {
  user: ['hasUser', 'must be the ID of a user'],
  group: ['hasGroup', 'must name a group that exists'],
  bot: ['hasBot', 'must be the ID of a bot'],
  key: ['hasKey', 'must be the ID of an API key that is not revoked'],
  token: ['hasToken', 'must be the ID of a token that is not revoked'],
} as const;

class BudgetBody {
  @IsOptional() @IsUlid() id?: string;
  @IsIn(SCOPES) scope!: (typeof SCOPES)[number];
  @IsOptional() @Length(1, 128) scope_id?: string;
  @IsIn(PERIODS) period!: (typeof PERIODS)[number];
  @IsDollars() @Min(0) @Max(HIGHEST_LIMIT) limit!: number;
  @IsIn(MODES) mode!: (typeof MODES)[number];
}

const ListedBudget = BudgetAnswer.extend({
  scope_name: z
    .string()
    .nullable()
    .describe(
      'Name of the user, group or cost centre, title of the bot, or description of the token. Null for other subjects, for erased ones, and while their service is unavailable.',
    ),
});

const BudgetsAnswer = z.object({ budgets: z.array(ListedBudget), next_token: z.string().nullable() });

nameSchemas({ Budget: BudgetAnswer, ListedBudget, BudgetPage: BudgetsAnswer });

const COLUMNS = ['id', 'scope', 'scope_id', 'period', 'limit', 'mode', 'spent', 'reserved', 'resets_at'] as const;
/** The number of budgets on one CSV page. */
const CSV_PAGE = 100;

@Controller('admin/budgets')
@Needs('Admin')
export class AdminBudgetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly lending: BudgetLending,
    private readonly known: KnownSubjects,
    private readonly tokens: PageTokens,
    private readonly names: SubjectNames,
    private readonly budgets: BudgetAnswers,
  ) {}

  @Get()
  @AuditedRead('view_budgets', 'budget')
  @Summary('List the budgets by ID, with what is spent in their current periods.')
  @Answers(200, BudgetsAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  async list(@Query() { limit, next_token }: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) {
      void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="budgets.csv"');
      return csv(COLUMNS, this.csvPages());
    }
    const asked = { list: 'budgets' };
    const after = next_token === undefined ? undefined : this.tokens.open<Cursor>(asked, next_token);
    const { budgets, next } = await this.queries.execute(new BudgetList(limit, after));
    return { budgets: await this.named(await this.budgets.of(budgets)), next_token: next && this.tokens.seal(asked, next) };
  }

  @Put()
  @Audited('set_budget', 'budget')
  @Summary('Create a budget, or replace the one with this id. Without an id: the one with this scope and period.')
  @Answers(200, BudgetAnswer)
  @Refuses('budget_of_another_scope', 409)
  @Refuses('too_many_budgets', 409)
  @Refuses('budget_exists', 412)
  async set(
    @Body() body: BudgetBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
    @Headers('if-none-match') ifNoneMatch?: string,
  ): Promise<BudgetAnswer> {
    const [terms, ifAbsent] = [checked(body), asksForAbsence(ifNoneMatch)];
    const { scope, scopeId, period } = terms;
    // Cost centres are only named by tokens. A budget may come first.
    if (scope !== 'all' && scope !== 'cost_centre') await this.requireKnown(scope, scopeId!);
    const id = body.id ?? derivedId('0000000000', `budget ${JSON.stringify([scope, scopeId, period])}`);
    if ((await this.queries.execute(new CountBudgets())) >= MOST_BUDGETS && !(await this.exists(id)))
      throw refuse('conflict', 'too_many_budgets', `There are ${MOST_BUDGETS} budgets, which is the limit. Remove one first.`);
    const { state } = await this.commands.execute(
      new ExecuteBudget(id, { type: 'Set', terms, ifAbsent, ...(await this.unchanged(id, ifMatch, termsStale)) }),
    );
    reply.header('etag', tagOf(terms));
    return this.budgets.one(id, terms, state.blocks);
  }

  @Delete(':budgetId')
  @HttpCode(204)
  @Audited('remove_budget', 'budget', 'budgetId')
  @Summary('Remove a budget. Messages that it would have refused are accepted again.')
  @Answers(204)
  @Refuses('budget_not_found', 404)
  async remove(@IdParam('budgetId') budgetId: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.commands.execute(
      new ExecuteBudget(budgetId, { type: 'Remove', ...(await this.unchanged(budgetId, ifMatch, budgetNotFound)) }),
    );
  }

  /** The terms that the caller knows, so that the stream can refuse the change if they have changed by then. */
  private async unchanged(
    id: string,
    ifMatch: string | undefined,
    /** The refusal if there is no such budget. */
    absent: () => Refusal,
  ): Promise<{ readonly ifTerms?: ChangingTerms }> {
    if (ifMatch === undefined) return {};
    const terms = await this.lending.termsOf(id);
    if (!terms) throw absent();
    requireMatch(ifMatch, digitsOf(terms));
    // The tag * matches any terms.
    return ifMatch.trim() === '*' ? {} : { ifTerms: { limit: terms.limit, mode: terms.mode } };
  }

  private async *csvPages(): AsyncGenerator<BudgetAnswer[]> {
    for (let after: Cursor | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page: { readonly budgets: readonly BudgetRow[]; readonly next: Cursor | null } = await this.queries.execute(
        new BudgetList(CSV_PAGE, after ?? undefined),
      );
      yield this.budgets.of(page.budgets);
      after = page.next;
    }
  }

  /** Adds the names of subjects. One page of names is enough, because a budget has one subject. */
  private async named(budgets: readonly BudgetAnswer[]): Promise<z.infer<typeof ListedBudget>[]> {
    const idsOf = (wanted: BudgetAnswer['scope']) => [
      ...new Set(budgets.flatMap(({ scope, scope_id }) => (scope === wanted && scope_id !== null ? [scope_id] : []))),
    ];
    const [names, tokens] = await Promise.all([
      this.names.known({ users: idsOf('user'), bots: idsOf('bot') }),
      this.names.ofTokens(idsOf('token')),
    ]);
    const nameOf = ({ scope, scope_id }: BudgetAnswer) => {
      if (scope_id === null || scope === 'group' || scope === 'cost_centre') return scope_id;
      if (scope === 'token') return tokens.get(scope_id)?.description ?? null;
      return names[scope === 'user' ? 'user' : 'bot'].get(scope_id) ?? null;
    };
    return budgets.map((budget) => ({ ...budget, scope_name: nameOf(budget) }));
  }

  private async requireKnown(scope: keyof typeof SUBJECTS, id: string): Promise<void> {
    const [isKnown, message] = SUBJECTS[scope];
    if (!(await this.known[isKnown](id))) throw invalid('scope_id', message);
  }

  private async exists(id: string): Promise<boolean> {
    return (await this.lending.termsOf(id)) !== null;
  }
}

function checked({ scope, scope_id, period, limit, mode }: BudgetBody): BudgetTerms {
  const scopeId = scope_id ?? null;
  if ((scope === 'all') !== (scopeId === null))
    throw invalid('scope_id', scope === 'all' ? 'must be absent for the scope all' : 'must name what the budget limits');
  if ((scope === 'user' || scope === 'bot') && !isUlid(scopeId!)) throw invalid('scope_id', 'must be a ULID');
  return { scope, scopeId, period, limit: nanoDollars(limit), mode };
}

const invalid = (path: string, message: string) =>
  refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
