import { component, schemaOf } from '@parlance/openapi';
import { z } from 'zod';
import { annotationsOf, ChatAnnotation, chatAnnotationOf } from './annotations.ts';
import { causeOf, type EndedReply, type ReplyUsage, usageOrNothing } from './ended-reply.ts';

const ChatUsage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
});
type ChatUsage = z.infer<typeof ChatUsage>;

const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int().describe('In epoch seconds.'),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null(),
        reasoning_content: z.string().optional().describe('What the model reasoned. Only if it was requested.'),
        annotations: z
          .array(ChatAnnotation)
          .optional()
          .describe('The sources of the markers [^n] in the text. Only if the bot shows its sources.'),
      }),
      finish_reason: z.enum(['stop', 'length', 'content_filter']),
      logprobs: z.null(),
    }),
  ),
  usage: ChatUsage,
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;

export const CHAT_COMPLETION = component('ChatCompletion', schemaOf(ChatCompletion));

/** The common fields of all chunks and of the whole answer. */
export interface ChatHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export function chatUsageOf(usage: ReplyUsage | null): ChatUsage {
  const { input_tokens: prompt, output_tokens: completion, cache_read_tokens: cached } = usageOrNothing(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

export const chatAnnotationsOf = ({ text, chunks }: Pick<EndedReply, 'text' | 'chunks'>): ChatAnnotation[] =>
  annotationsOf(text, chunks).map(chatAnnotationOf);

export function chatCompletionOf({ id, created, model }: ChatHead, ended: EndedReply): ChatCompletion {
  const annotations = chatAnnotationsOf(ended);
  const message = {
    role: 'assistant' as const,
    content: ended.text,
    refusal: null,
    ...(ended.reasoning !== '' && { reasoning_content: ended.reasoning }),
    ...(annotations.length > 0 && { annotations }),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, finish_reason: causeOf(ended), logprobs: null }],
    usage: chatUsageOf(ended.usage),
  };
}
