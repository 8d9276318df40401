import type { ReadModels } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { audiencesWith, maySee, type Person } from '../../domain/sharing.ts';
import {
  promptAudienceKey,
  promptAudienceRows,
  type PromptRow,
  promptRows,
  promptTextRows,
  relationToPrompt,
  type WholePrompt,
} from './prompts.ts';

/** All prompts that the user may see, the user's own ones, or those of others. */
export const PROMPT_LIST_KINDS = ['all', 'own', 'shared'] as const;
export type PromptListKind = (typeof PROMPT_LIST_KINDS)[number];

/** The number of prompts that one query reads. With the longest lists they have about 1 MB. */
export const PROMPTS_AT_ONCE = 200;

/** Some prompts that the user may see, the newest first. `last`: the ID up to which prompts were read; null at the end. */
export const VisiblePrompts = query(
  'VisiblePrompts',
  async (
    models,
    person: Person,
    kind: PromptListKind,
    after: string | null,
  ): Promise<{ rows: readonly PromptRow[]; last: string | null }> => {
    const [own, listed] = await Promise.all([
      kind === 'shared' ? [] : ownIds(models, person.userId, after),
      kind === 'own' ? [] : listedIds(models, person, after),
    ]);
    const ids = [...new Set([...own, ...listed])].sort((one, other) => (one < other ? 1 : -1)).slice(0, PROMPTS_AT_ONCE);
    const found = await models.getMany(promptRows, ids);
    const rows = ids.flatMap((id) => found.get(id) ?? []).filter((row) => isOfKind(kind, person, row));
    return { rows, last: ids.at(-1) ?? null };
  },
);

const isOfKind = (kind: PromptListKind, person: Person, row: PromptRow): boolean =>
  maySee(relationToPrompt(person, row)) && (kind === 'all' || (row.owner_user_id === person.userId) === (kind === 'own'));

async function ownIds(models: ReadModels, userId: string, after: string | null): Promise<readonly string[]> {
  const cursor = after === null ? {} : { after: [userId, after] };
  const wanted = { index: 'byOwner', where: { owner_user_id: userId }, order: 'desc', limit: PROMPTS_AT_ONCE, ...cursor } as const;
  return (await models.find(promptRows, wanted)).keys;
}

async function listedIds(models: ReadModels, person: Person, after: string | null): Promise<readonly string[]> {
  const lists = await Promise.all(
    audiencesWith(person).map(async (audience) => {
      const cursor = after === null ? {} : { after: [audience, after, promptAudienceKey(after, audience)] };
      const wanted = { index: 'byAudience', where: { audience }, order: 'desc', limit: PROMPTS_AT_ONCE, ...cursor } as const;
      return (await models.find(promptAudienceRows, wanted)).rows.map((row) => row.prompt_id);
    }),
  );
  return lists.flat();
}

/** Shared prompts with the same command that a lookup reads. */
const MOST_WITH_ONE_COMMAND = 1_000;

/** The prompts with a command that the user may see: the user's own one first, then shared ones, the newest first. */
export const PromptsWithCommand = query(
  'PromptsWithCommand',
  async (models, person: Person, commandHash: string, kind: PromptListKind): Promise<readonly PromptRow[]> => {
    const own = { index: 'byOwnCommand', where: { owner_user_id: person.userId, command_hash: commandHash }, limit: 1 } as const;
    const shared = { index: 'bySharedCommand', where: { is_shared: true, command_hash: commandHash }, order: 'desc' } as const;
    const [mine, others] = await Promise.all([
      models.find(promptRows, own),
      models.find(promptRows, { ...shared, limit: MOST_WITH_ONE_COMMAND }),
    ]);
    const ofOthers = others.rows.filter((row) => row.owner_user_id !== person.userId);
    return [...mine.rows, ...ofOthers].filter((row) => isOfKind(kind, person, row));
  },
);

/** The number of prompts in a page that a service reads for their owner. They have about 2 MB at most. */
const OWN_AT_ONCE = 25;

/** The prompts of a user with their texts, in the order of their IDs. `next`: the last ID, if there are more. */
export const OwnPrompts = query(
  'OwnPrompts',
  async (models, userId: string, after: string | null): Promise<{ own: readonly WholePrompt[]; next: string | null }> => {
    const cursor = after === null ? {} : { after: [userId, after] };
    const { rows, keys, next } = await models.find(promptRows, {
      index: 'byOwner',
      where: { owner_user_id: userId },
      limit: OWN_AT_ONCE,
      ...cursor,
    });
    const texts = await models.getMany(promptTextRows, keys);
    const own = rows.flatMap((row) => {
      const content = texts.get(row.id);
      return content ? [{ row, text: content.text }] : [];
    });
    return { own, next: next === null ? null : keys.at(-1)! };
  },
);
