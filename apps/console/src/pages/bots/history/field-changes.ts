import type { BotConfiguration } from '@parlance/client/types';
import { type DiffLine, lineDiff } from './line-diff.ts';

/** The fields of a configuration in the order of the editor. */
const FIELDS = [
  'title',
  'icon',
  'colour',
  'picture',
  'description',
  'instruction',
  'conversation_quick_starters',
  'default_model',
  'active_models',
  'generation_params',
  'prompt_caching_enabled',
  'memory',
  'tools',
  'knowledge',
  'display_retrieved_chunks',
  'bedrock_knowledge_base',
  'sync_schedule',
  'bedrock_guardrails',
  'guardrail_blocked_text',
] as const satisfies readonly (keyof BotConfiguration)[];
export type Field = (typeof FIELDS)[number];

export interface FieldChange {
  readonly field: Field;
  /** Null if the texts are too long, and for a picture, of which only the ID is known. */
  readonly lines: readonly DiffLine[] | null;
}

/** Returns a text unchanged, and other values with one line for each part. */
export function shownAs(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each))).join('\n');
  if (typeof value === 'object') return partsOf(value).join('\n');
  return String(value);
}

function partsOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const key = path + name;
    if (Array.isArray(part)) return part.map((each) => `${key}: ${typeof each === 'object' ? JSON.stringify(each) : String(each)}`);
    if (typeof part === 'object' && part !== null) return partsOf(part, `${key}.`);
    return part === null ? [] : [`${key}: ${String(part)}`];
  });
}

/** The fields that differ, with their lines. */
export const changesBetween = (before: BotConfiguration, after: BotConfiguration): readonly FieldChange[] =>
  FIELDS.map((field) => ({ field, from: shownAs(before[field]), to: shownAs(after[field]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => ({ field, lines: field === 'picture' ? null : lineDiff(from, to) }));
