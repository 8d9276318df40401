import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Caller, FreshId, Limit, TakesIdempotencyKey } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsOptional, Length } from 'class-validator';
import { GatewayBatchesOf, type GatewayBatchRow } from '../../projections/gateway/gateway-batches.ts';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import type { BatchEndpoint } from '../../workflows/gateway/batch-lines.ts';
import { GatewayBatches } from '../../workflows/gateway/gateway-batches.ts';
import { ModelApi } from '../calls/call-routes.ts';
import { BATCH, BATCH_LIST, batchAnswer, type BatchAnswer, batchIdInAfter, idInBatchId } from './batch-answers.ts';
import { BatchBody } from './batch-body.ts';
import { idInFileId, pageIn } from './file-answers.ts';

class BatchesQuery {
  @Limit(100) limit: number = 100;
  /** The last batch of the page before. */
  @IsOptional() @Length(1, 64) after?: string;
}

/** Batches in OpenAI's format, for programs with a token. They belong to the owner of the token. */
@ModelApi('v1/batches')
export class BatchesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly batches: GatewayBatches,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesIdempotencyKey()
  @Summary('Send the requests of a file one after another, as direct calls with the token of this request. Each is sent and charged once.')
  @Answers(200, BATCH)
  @Refuses('not_batch_file', 400)
  @Refuses('models_token_needed', 403)
  @Refuses('file_not_found', 404)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_batches', 409)
  @Refuses('too_many_files', 409)
  @Refuses('files_too_large', 409)
  async create(@Caller() caller: Caller, @FreshId() batchId: string, @Body() body: BatchBody): Promise<BatchAnswer> {
    const endpoint = body.endpoint.slice('/v1/'.length) as BatchEndpoint;
    const request = { batchId, inputFileId: idInFileId(body.input_file_id), endpoint, metadata: body.metadata ?? null };
    return this.shown(await this.batches.create(modelCaller(caller), request));
  }

  @Get()
  @Summary('List your batches, the newest first. They are listed until 30 days after their end.')
  @Answers(200, BATCH_LIST)
  @Refuses('models_token_needed', 403)
  async list(@Caller() caller: Caller, @Query() { limit, after }: BatchesQuery) {
    const { userId } = modelCaller(caller);
    const found: BatchAnswer[] = [];
    for (const row of await this.queries.execute(new GatewayBatchesOf(userId, limit, batchIdInAfter(after)))) {
      if (isTurnOver()) await nextTurn();
      found.push(await this.shown(row));
    }
    return pageIn(found, limit);
  }

  @Get(':batchId')
  @Summary('Get one of your batches.')
  @Answers(200, BATCH)
  @Refuses('models_token_needed', 403)
  @Refuses('batch_not_found', 404)
  async get(@Caller() caller: Caller, @Param('batchId') batchId: string): Promise<BatchAnswer> {
    return this.shown(await this.batches.of(modelCaller(caller).userId, idInBatchId(batchId)));
  }

  @Post(':batchId/cancel')
  @HttpCode(200)
  @Summary('Cancel one of your batches. Requests in flight are completed, and their answers are in its files.')
  @Answers(200, BATCH)
  @Refuses('models_token_needed', 403)
  @Refuses('batch_not_found', 404)
  @Refuses('batch_ended', 409)
  async cancel(@Caller() caller: Caller, @Param('batchId') batchId: string): Promise<BatchAnswer> {
    return this.shown(await this.batches.cancel(modelCaller(caller).userId, idInBatchId(batchId)));
  }

  private async shown(row: GatewayBatchRow): Promise<BatchAnswer> {
    return batchAnswer(row, await this.batches.metadataOf(row));
  }
}
