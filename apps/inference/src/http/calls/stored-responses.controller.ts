import { Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Caller, LargeAnswer } from '@parlance/http';
import { Answers, component, Refuses, Summary } from '@parlance/openapi';
import { IsIn, IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { ResponseRemoval } from '../../workflows/calls/stored/response-removal.ts';
import { type ResponseItem, responseIdIn, StoredResponses } from '../../workflows/calls/stored/stored-responses.ts';
import { unknownAfter } from '../gateway/unknown-after.ts';
import { ModelApi } from './call-routes.ts';

const MOST_ITEMS = 100;
const USUAL_ITEMS = 20;
const LONGEST_ITEM_ID = 200;
/** A page ends after this many bytes. One item may have more. */
const PAGE_BYTES = 1024 * 1024;
/** Items that are compared before other work may have a turn. */
const ITEMS_IN_SLICE = 1_024;

class InputItemsQuery {
  /** Default: 20. */
  @IsOptional() @IsInt() @Min(1) @Max(MOST_ITEMS) limit?: number;
  /** Default: `desc`, the last item first. */
  @IsOptional() @IsIn(['asc', 'desc']) order?: 'asc' | 'desc';
  /** ID of the last item of the page before. */
  @IsOptional() @Length(1, LONGEST_ITEM_ID) after?: string;
}

const RESPONSE = component('StoredResponse', {
  type: 'object',
  required: ['id', 'object'],
  properties: { id: { type: 'string' }, object: { const: 'response' } },
  additionalProperties: true,
});
const DELETED = component('DeletedResponse', {
  type: 'object',
  required: ['id', 'object', 'deleted'],
  properties: { id: { type: 'string' }, object: { const: 'response' }, deleted: { const: true } },
});
const INPUT_ITEMS = component('ResponseInputItems', {
  type: 'object',
  required: ['object', 'data', 'first_id', 'last_id', 'has_more'],
  properties: {
    object: { const: 'list' },
    data: { type: 'array', items: { type: 'object', additionalProperties: true } },
    first_id: { type: ['string', 'null'] },
    last_id: { type: ['string', 'null'] },
    has_more: { type: 'boolean' },
  },
});

interface InputItems {
  readonly object: 'list';
  readonly data: readonly ResponseItem[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** Responses that are stored for the programs of a user. Every token of the user that may call models has them. */
@ModelApi('v1/responses')
export class StoredResponsesController {
  constructor(
    private readonly responses: StoredResponses,
    private readonly removal: ResponseRemoval,
  ) {}

  @Get(':responseId')
  @Summary('Get a stored response of the user.')
  @Answers(200, RESPONSE)
  @LargeAnswer()
  @Refuses('models_token_needed', 403)
  @Refuses('response_not_found', 404)
  async get(@Caller() caller: Caller, @Param('responseId') responseId: string): Promise<object> {
    return (await this.responses.get(responseId, modelCaller(caller).userId)).response;
  }

  @Get(':responseId/input_items')
  @Summary('List the input of a stored response, with the items of the responses that it continues.')
  @Answers(200, INPUT_ITEMS)
  @LargeAnswer()
  @Refuses('models_token_needed', 403)
  @Refuses('response_not_found', 404)
  @Refuses('previous_response_not_found', 404)
  async inputItems(
    @Caller() caller: Caller,
    @Param('responseId') responseId: string,
    @Query() { limit = USUAL_ITEMS, order = 'desc', after }: InputItemsQuery,
  ): Promise<InputItems> {
    const input = await this.responses.inputOf(responseId, modelCaller(caller).userId);
    const step = order === 'asc' ? 1 : -1;
    const first = order === 'asc' ? 0 : input.length - 1;
    let at = after === undefined ? first : (await indexOf(after, input, responseId)) + step;
    const data: ResponseItem[] = [];
    for (let bytes = 0; data.length < limit && bytes < PAGE_BYTES && input[at]; at += step) {
      const item = { ...input[at], id: itemId(input[at]!, responseId, at) };
      data.push(item);
      bytes += Buffer.byteLength(JSON.stringify(item));
      if (isTurnOver()) await nextTurn();
    }
    const idOf = (item: ResponseItem | undefined) => (item?.['id'] as string | undefined) ?? null;
    return { object: 'list', data, first_id: idOf(data[0]), last_id: idOf(data.at(-1)), has_more: input[at] !== undefined };
  }

  @Delete(':responseId')
  @HttpCode(200)
  @Summary('Delete a stored response of the user. Responses that continue it stay, and cannot be continued any more.')
  @Answers(200, DELETED)
  @Refuses('models_token_needed', 403)
  @Refuses('response_not_found', 404)
  @Refuses('on_hold', 409)
  async delete(@Caller() caller: Caller, @Param('responseId') responseId: string): Promise<object> {
    await this.removal.delete(responseId, modelCaller(caller).userId);
    return { id: responseId, object: 'response', deleted: true };
  }
}

/** Where an item is in the input. Throws `invalid_query` (invalid) for an ID that no item has. */
async function indexOf(id: string, input: readonly ResponseItem[], responseId: string): Promise<number> {
  for (const [index, item] of input.entries()) {
    if (itemId(item, responseId, index) === id) return index;
    if (index % ITEMS_IN_SLICE === 0 && isTurnOver()) await nextTurn();
  }
  throw unknownAfter('an item of this response');
}

/** Programs may leave out the IDs of their items. An item has the same ID in each list. */
function itemId(item: ResponseItem, responseId: string, index: number): string {
  const own = item['id'];
  return typeof own === 'string' ? own : `item_${responseIdIn(responseId)}_${index}`;
}
