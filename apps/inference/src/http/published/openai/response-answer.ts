import { component, schemaOf } from '@parlance/openapi';
import { z } from 'zod';
import { Annotation, annotationsOf } from './annotations.ts';
import { causeOf, type EndedReply, type FailedReply, type ReplyUsage, usageOrNothing } from './ended-reply.ts';
import type { ReplyAddress } from './response-ids.ts';
import { responseIdOf } from './response-ids.ts';
import type { ParsedResponsesRequest } from './responses-request.ts';

const OutputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(Annotation).describe('The sources of the markers [^n] in the text. Empty if the bot does not show its sources.'),
  logprobs: z.array(z.unknown()).describe('Always empty.'),
});
export type OutputText = z.infer<typeof OutputText>;

const OutputMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  content: z.array(OutputText),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

const ResponseUsage = z.object({
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int().describe('Always 0, because they are counted in `output_tokens`.') }),
  total_tokens: z.int(),
});

const Response = z.object({
  id: z.string().describe('For `previous_response_id`.'),
  object: z.literal('response'),
  created_at: z.int().describe('In epoch seconds.'),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  output: z.array(OutputMessage),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  store: z.boolean().describe('Always true.'),
  temperature: z.number().nullable(),
  tool_choice: z.literal('auto'),
  tools: z.array(z.unknown()).describe('Always empty.'),
  top_p: z.number().nullable(),
  usage: ResponseUsage.nullable(),
});
export type Response = z.infer<typeof Response>;

export const RESPONSE = component('OpenAiResponse', schemaOf(Response));

/** The fields of a response that never change. */
export interface ResponseHead {
  readonly place: ReplyAddress;
  readonly created: number;
  readonly model: string;
  readonly repeated: ParsedResponsesRequest['repeated'];
}

/** Used for a response that is read later, because these fields of its request are not stored. */
export const NOTHING_REPEATED: ParsedResponsesRequest['repeated'] = {
  instructions: null,
  previous_response_id: null,
  temperature: null,
  top_p: null,
  max_output_tokens: null,
  metadata: {},
};

export function begunResponse({ place, created, model, repeated }: ResponseHead): Response {
  return {
    id: responseIdOf(place),
    object: 'response',
    created_at: created,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    ...repeated,
    model,
    output: [],
    parallel_tool_calls: true,
    store: true,
    tool_choice: 'auto',
    tools: [],
    usage: null,
  };
}

export function endedResponse(head: ResponseHead, ended: EndedReply): Response {
  const cause = causeOf(ended);
  const reason = cause === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    ...begunResponse(head),
    status: cause === 'stop' ? 'completed' : 'incomplete',
    incomplete_details: cause === 'stop' ? null : { reason },
    output: [outputMessage(head, cause === 'stop' ? 'completed' : 'incomplete', [outputText(ended)])],
    usage: responseUsageOf(ended.usage),
  };
}

export const failedResponse = (head: ResponseHead, { code, message }: FailedReply): Response => ({
  ...begunResponse(head),
  status: 'failed',
  error: { code, message },
});

export const outputMessage = ({ place }: ResponseHead, status: OutputMessage['status'], content: readonly OutputText[]): OutputMessage => ({
  id: `msg_${place.replyId}`,
  type: 'message',
  role: 'assistant',
  status,
  content: [...content],
});

export const outputText = ({ text, chunks }: Pick<EndedReply, 'text' | 'chunks'>): OutputText => ({
  type: 'output_text',
  text,
  annotations: annotationsOf(text, chunks),
  logprobs: [],
});

function responseUsageOf(usage: ReplyUsage | null): NonNullable<Response['usage']> {
  const { input_tokens, output_tokens, cache_read_tokens: cached_tokens } = usageOrNothing(usage);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}
