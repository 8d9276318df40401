import { ULID_PATTERN } from '@parlance/http';
import { z } from 'zod';
import { QUESTION_SEARCHED } from '../../../adapters/bot-knowledge.ts';

/** Characters of a question. */
const LONGEST_QUESTION = 100_000;
const MOST_TEXTS = 20;
const USUAL_TEXTS = 5;

export const AskInput = z.strictObject({
  question: z.string().trim().min(1).max(LONGEST_QUESTION).describe('The question, in any language.'),
  conversation_id: z
    .string()
    .regex(new RegExp(ULID_PATTERN))
    .optional()
    .describe('The conversation_id of an earlier answer, to continue its conversation. Leave it out for a new one.'),
});
export type AskInput = z.infer<typeof AskInput>;

const source = {
  source: z.string().describe('URL of a web page, URL of an S3 object, or name of a file.'),
  source_name: z.string(),
  page_number: z.int().nullable(),
};

export const Answer = z.object({
  answer: z.string(),
  conversation_id: z.string(),
  message_id: z.string(),
  sources: z.array(z.object({ number: z.int().describe('The number n of the marker [^n] in the answer.'), ...source })),
});
export type Answer = z.infer<typeof Answer>;

export const SearchInput = z.strictObject({
  query: z.string().trim().min(1).max(QUESTION_SEARCHED).describe('What to search for.'),
  limit: z.int().min(1).max(MOST_TEXTS).default(USUAL_TEXTS).describe('The most texts to return. The bot may be configured to find fewer.'),
});
export type SearchInput = z.infer<typeof SearchInput>;

export const FoundTexts = z.object({
  texts: z.array(z.object({ content: z.string(), ...source, heading: z.string().nullable() })).describe('The best first.'),
});
export type FoundTexts = z.infer<typeof FoundTexts>;
