import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { acceptsCsv, AuditedRead, csvList, Limit, Needs, type PageQuery, PageTokens } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SharedBotsOfModel } from '../projections/bots/bots-of-model.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { openInTurns } from './bot-answers.ts';

const BotOfModel = z.object({
  id: z.string(),
  title: z.string(),
  owner_user_id: z.string(),
  shared_scope: z.enum(['private', 'partial', 'all']),
  is_named: z.boolean().describe('Whether the settings of the bot name the model. Otherwise the bot allows all models.'),
});
const BotsOfModel = z.object({ bots: z.array(BotOfModel), next_token: z.string().nullable() });
type BotsOfModel = z.infer<typeof BotsOfModel>;

nameSchemas({ BotOfModel, BotOfModelPage: BotsOfModel });

const COLUMNS = ['id', 'title', 'owner_user_id', 'shared_scope', 'is_named'] as const;

class BotsOfModelQuery {
  @Limit(200) limit: number = 100;
  @IsOptional() @IsString() next_token?: string;
}

/** Which bots may use a model, for administrators. */
@Controller('admin/models/:modelId/bots')
@Needs('Admin')
export class BotsOfModelController {
  constructor(
    private readonly queries: QueryBus,
    private readonly texts: OpenedTexts,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @AuditedRead('view_public_bots', 'model', 'modelId')
  @Summary(
    'List the shared bots whose settings allow a model, newest first, whether or not there is such a model. A page may be shorter than its limit although others follow. Private bots are left out.',
  )
  @Answers(200, BotsOfModel)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(
    @Param('modelId') modelId: string,
    @Query() query: BotsOfModelQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const read = (page: PageQuery) => this.page(modelId, page);
    return acceptsCsv(request.headers.accept) ? csvList(reply, { list: 'bots', columns: COLUMNS, read }) : read(query);
  }

  private async page(modelId: string, { limit, next_token }: PageQuery): Promise<BotsOfModel> {
    const listing = { list: 'bots-of-model', modelId };
    const after = next_token === undefined ? null : this.tokens.open<string>(listing, next_token);
    const { bots, next } = await this.queries.execute(new SharedBotsOfModel(modelId, after, limit));
    const opened = await openInTurns(bots, async ({ row, isNamed }) => {
      const { id, owner_user_id, shared_scope } = row;
      const title = await this.texts.openIfThere(row.title);
      return title === null ? null : { id, title, owner_user_id, shared_scope, is_named: isNamed };
    });
    // Bots that are being deleted are left out.
    return { bots: opened.filter((bot) => bot !== null), next_token: next === null ? null : this.tokens.seal(listing, next) };
  }
}
