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
import { type ReplyAddress, replyAddressIn } from './response-ids.ts';

/** Items of the input of one request. */
const MOST_ITEMS = 1_000;
const MOST_PARTS = 100;

const Part = z.looseObject({
  type: z.string().describe('`input_text`, `input_image`, `input_file` or `output_text`.'),
  text: z.string().optional(),
  image_url: z.string().nullable().optional().describe('A data URL with base64.'),
  filename: z.string().max(255).optional(),
  file_data: z.string().nullable().optional().describe('A data URL with base64.'),
});
type Part = z.infer<typeof Part>;

const Item = z.looseObject({
  type: z.string().optional().describe('`message`. Items of the type `reasoning` are ignored.'),
  role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
  content: z
    .union([z.string(), z.array(Part).max(MOST_PARTS)])
    .nullable()
    .optional(),
});
type Item = z.infer<typeof Item>;

const ResponsesRequest = z.looseObject({
  model: z.string().min(1).max(200).nullable().optional().describe('One of `GET …/v1/models`. Default: the default model of the bot.'),
  input: z
    .union([z.string().min(1), z.array(Item).min(1).max(MOST_ITEMS)])
    .describe(
      'The last item is the question, a message with the role user. Texts of the roles system and developer are added after the instruction of the bot.',
    ),
  instructions: z.string().nullable().optional().describe('Added after the instruction of the bot, for this response only.'),
  previous_response_id: z
    .string()
    .max(200)
    .nullable()
    .optional()
    .describe('The response that the input answers. Its conversation continues.'),
  stream: z.boolean().nullable().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  max_output_tokens: z.int().min(1).nullable().optional().describe('A lower limit of the bot takes precedence.'),
  reasoning: z
    .looseObject({ effort: z.string().max(20).nullable().optional() })
    .nullable()
    .optional()
    .describe('With an `effort` other than `none` or `minimal` the model reasons first.'),
  store: z.boolean().nullable().optional().describe('No effect: every response is stored, because it is a message of a conversation.'),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullable().optional().describe('Returned unchanged, and not stored.'),
});

export const RESPONSES_REQUEST = component('OpenAiResponseRequest', {
  ...schemaOf(ResponsesRequest),
  example: { model: 'local-extractive', input: 'What are the opening hours?' },
});

const UNSUPPORTED: Unsupported = {
  background: isOff,
  conversation: isOff,
  prompt: isOff,
  tools: isEmpty,
  tool_choice: isOffOr('none', 'auto'),
  top_logprobs: isOffOr(0),
  text: (value) => {
    const { format = null } = isOff(value) ? {} : (value as { format?: { type?: unknown } | null });
    return format === null || format.type === 'text';
  },
};

export interface ParsedResponsesRequest extends ClientRequest {
  readonly isStreamed: boolean;
  /** The reply that the input answers. Null for a new conversation. */
  readonly previous: ReplyAddress | null;
  /** Fields of the request that the answer repeats. */
  readonly repeated: {
    readonly instructions: string | null;
    readonly previous_response_id: string | null;
    readonly temperature: number | null;
    readonly top_p: number | null;
    readonly max_output_tokens: number | null;
    readonly metadata: Readonly<Record<string, string>>;
  };
}

/** Throws the refusals `invalid_body` (invalid) and `previous_response_not_found` (missing). Unknown fields are ignored. */
export function responsesRequestOf(body: unknown): ParsedResponsesRequest {
  const request = read(ResponsesRequest, body);
  refuseUnsupported(request, UNSUPPORTED);
  const { input } = request;
  const messages =
    typeof input === 'string'
      ? [{ role: 'user' as const, text: input, files: [], paths: { role: 'input', content: 'input' } }]
      : input.flatMap((item, nth) => (item.type === 'reasoning' ? [] : [messageOf(item, `input[${nth}]`)]));
  const ownInstructions = messages.flatMap(({ role, text }) => (role === 'system' ? [text] : []));
  const instruction = [request.instructions ?? '', ...ownInstructions].filter((text) => text !== '').join('\n\n');
  const { turns, ...question } = questionOf(
    messages.filter((message): message is ClientMessage => message.role !== 'system'),
    instruction,
    'input',
  );
  const { temperature = null, top_p: topP = null, max_output_tokens: maxTokens = null } = request;
  const { instructions = null, previous_response_id = null, metadata, reasoning } = request;
  const effort = reasoning?.effort;
  return {
    model: request.model ?? null,
    ...question,
    terms: termsOrNull({ instruction, turns }),
    parameters: {
      ...(maxTokens !== null && { maxTokens }),
      ...(temperature !== null && { temperature }),
      ...(topP !== null && { topP }),
    },
    reasoning: effort != null && effort !== 'none' && effort !== 'minimal',
    isStreamed: request.stream === true,
    previous: previous_response_id === null ? null : replyAddressIn(previous_response_id, 'previous_response_not_found'),
    repeated: { instructions, previous_response_id, temperature, top_p: topP, max_output_tokens: maxTokens, metadata: metadata ?? {} },
  };
}

type ReadMessage = Omit<ClientMessage, 'role'> & { readonly role: ClientMessage['role'] | 'system' };

function messageOf({ type = 'message', role, content }: Item, path: string): ReadMessage {
  if (type !== 'message') throw refuseAt(`${path}.type`, 'must be message or reasoning');
  if (role === undefined) throw refuseAt(`${path}.role`, 'is missing');
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'input_text', text: content }] : (content ?? []);
  const paths = pathsOf(path);
  const files = parts.flatMap((part, nth) => fileOf(part, `${paths.content}[${nth}]`));
  if (role !== 'user' && files.length > 0) throw refuseAt(paths.content, `must be text in a message of the role ${role}`);
  const text = parts.flatMap((part) => (isText(part.type) ? [part.text ?? ''] : [])).join('\n');
  return { role: role === 'developer' ? 'system' : role, text, files, paths };
}

const isText = (type: string): boolean => ['input_text', 'output_text', 'text', 'refusal'].includes(type);

function fileOf({ type, image_url: image, filename, file_data: data }: Part, path: string) {
  if (isText(type)) return [];
  if (type === 'input_image')
    return [{ kind: 'image', path: `${path}.image_url`, body: base64Of(image ?? '', `${path}.image_url`) } as const];
  if (type === 'input_file') return [attachmentOf(data ?? undefined, filename, `${path}.file_data`)];
  throw refuseAt(`${path}.type`, 'must be input_text, input_image, input_file or output_text');
}
