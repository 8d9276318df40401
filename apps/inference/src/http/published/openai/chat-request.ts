import { component, schemaOf } from '@parlance/openapi';
import { z } from 'zod';
import { termsOrNull } from '../../../workflows/client-terms.ts';
import {
  type ClientRequest,
  attachmentOf,
  base64Of,
  type ClientMessage,
  isEmpty,
  isOff,
  isOffOr,
  pathsOf,
  questionOf,
  read,
  refuseAt,
  refuseUnsupported,
  type Unsupported,
} from './client-request.ts';

/** Messages of one request. */
const MOST_MESSAGES = 1_000;
const MOST_PARTS = 100;
/** As in the API of OpenAI. */
const MOST_STOPS = 4;

const Part = z.looseObject({
  type: z.string().describe('`text`, `image_url` or `file`.'),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string().describe('A data URL with base64.') }).optional(),
  file: z
    .looseObject({ filename: z.string().max(255).optional(), file_data: z.string().optional().describe('A data URL with base64.') })
    .optional(),
});
type Part = z.infer<typeof Part>;

const Message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(Part).max(MOST_PARTS), z.null()]).optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string().optional(), function: z.looseObject({ name: z.string(), arguments: z.string() }).optional() }))
    .max(MOST_PARTS)
    .optional(),
  tool_call_id: z.string().max(200).optional(),
});
type Message = z.infer<typeof Message>;

const tokens = z.int().min(1).nullable().optional();

const ChatRequest = z.looseObject({
  model: z.string().min(1).max(200).nullable().optional().describe('One of `GET …/v1/models`. Default: the default model of the bot.'),
  messages: z
    .array(Message)
    .min(1)
    .max(MOST_MESSAGES)
    .describe(
      'The last message is the question, with the role user. Texts of the roles system and developer are added after the instruction of the bot.',
    ),
  stream: z.boolean().nullable().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullable().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  max_tokens: tokens,
  max_completion_tokens: tokens.describe('Replaces `max_tokens`. A lower limit of the bot takes precedence.'),
  stop: z
    .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).max(MOST_STOPS)])
    .nullable()
    .optional(),
  reasoning_effort: z.string().max(20).nullable().optional().describe('The model reasons first, unless this is `none` or `minimal`.'),
});

export const CHAT_REQUEST = component('ChatCompletionRequest', {
  ...schemaOf(ChatRequest),
  example: { model: 'local-extractive', messages: [{ role: 'user', content: 'What are the opening hours?' }] },
});

const UNSUPPORTED: Unsupported = {
  tools: isEmpty,
  tool_choice: isOffOr('none', 'auto'),
  functions: isEmpty,
  function_call: isOffOr('none', 'auto'),
  n: isOffOr(1),
  logprobs: isOff,
  top_logprobs: isOffOr(0),
  logit_bias: isEmpty,
  frequency_penalty: isOffOr(0),
  presence_penalty: isOffOr(0),
  response_format: (value) => isOff(value) || (value as { type?: unknown }).type === 'text',
  modalities: (value) => isOff(value) || (Array.isArray(value) && value.every((each) => each === 'text')),
  audio: isOff,
  prediction: isOff,
  web_search_options: isOff,
};

export interface ParsedChatRequest extends ClientRequest {
  readonly isStreamed: boolean;
  readonly includesUsage: boolean;
}

/** Throws the refusal `invalid_body` (invalid). Unknown fields are ignored, because clients send many. */
export function chatRequestOf(body: unknown): ParsedChatRequest {
  const request = read(ChatRequest, body);
  refuseUnsupported(request, UNSUPPORTED);
  const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer';
  const instruction = request.messages
    .flatMap((message, index) => (isInstruction(message) ? [instructionOf(message, index)] : []))
    .join('\n\n');
  const messages = request.messages.flatMap((message, nth) => (isInstruction(message) ? [] : [messageOf(message, nth)]));
  const { turns, ...question } = questionOf(messages, instruction, 'messages');
  const { temperature, top_p: topP, stop, max_tokens: older, max_completion_tokens: newer, reasoning_effort: effort } = request;
  const maxTokens = newer ?? older ?? null;
  const parameters = {
    ...(maxTokens !== null && { maxTokens }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { topP }),
  };
  return {
    model: request.model ?? null,
    ...question,
    terms: termsOrNull({ instruction, turns, stopSequences: [stop ?? []].flat() }),
    parameters,
    reasoning: effort != null && effort !== 'none' && effort !== 'minimal',
    isStreamed: request.stream === true,
    includesUsage: request.stream_options?.include_usage === true,
  };
}

function instructionOf({ content }: Message, index: number): string {
  const parts = partsOf(content);
  const other = parts.findIndex(({ type }) => type !== 'text');
  if (other >= 0) throw refuseAt(`messages[${index}].content[${other}].type`, 'must be text in a message of this role');
  return textOf(parts);
}

function messageOf({ role, content, tool_calls: calls = [], tool_call_id: callId }: Message, index: number): ClientMessage {
  const parts = partsOf(content);
  const paths = pathsOf(`messages[${index}]`);
  // Tool calls and results of other models are passed as text, because this model did not make the calls.
  if (role === 'tool') return { role: 'user', text: `Result of the tool call ${callId ?? ''}:\n${textOf(parts)}`, files: [], paths };
  const files = parts.flatMap((part, at) => fileOf(part, `${paths.content}[${at}]`));
  if (role !== 'assistant') return { role: 'user', text: textOf(parts), files, paths };
  if (files.length > 0) throw refuseAt(paths.content, 'must be text in a message of the role assistant');
  const called = calls.map(({ id, function: its }) => `Tool call ${id ?? ''}: ${its?.name ?? ''}(${its?.arguments ?? ''})`);
  return { role, text: [textOf(parts), ...called].filter((text) => text !== '').join('\n'), files, paths };
}

const partsOf = (content: Message['content']): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

const textOf = (parts: readonly Part[]): string => parts.flatMap(({ type, text }) => (isText(type) ? [text ?? ''] : [])).join('\n');

const isText = (type: string): boolean => type === 'text' || type === 'refusal';

function fileOf({ type, image_url: image, file }: Part, path: string) {
  if (isText(type)) return [];
  if (type === 'image_url') {
    const at = `${path}.image_url.url`;
    return [{ kind: 'image', path: at, body: base64Of(image?.url ?? '', at) } as const];
  }
  if (type === 'file') {
    return [attachmentOf(file?.file_data, file?.filename, `${path}.file.file_data`)];
  }
  throw refuseAt(`${path}.type`, 'must be text, image_url or file');
}
