import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { MAX_PROMPT_VERSIONS } from '../../domain/prompts/prompt-limits.ts';
import type { PromptContent, PromptsEvent } from '../../domain/prompts/prompts.ts';
import { audiencesOf, maySee, type Person, PRIVATE, relationOf, type Scope, type Sharing } from '../../domain/sharing.ts';

/** A prompt without its text. `title`, `command` and `description` are sealed. */
export interface PromptRow {
  readonly id: string;
  readonly owner_user_id: string;
  readonly title: string;
  readonly command: string;
  readonly command_hash: string;
  readonly description: string | null;
  readonly is_shared: boolean;
  readonly shared_scope: Scope;
  readonly allowed_user_ids: readonly string[];
  readonly allowed_group_ids: readonly string[];
  readonly editor_user_ids: readonly string[];
  readonly editor_group_ids: readonly string[];
  readonly create_time: number;
  readonly change_time: number;
  readonly version: number;
  /** The version in which the content last changed. */
  readonly content_version: number;
}

interface PromptTextRow {
  readonly version: number;
  readonly text: string;
}

export const VERSION_CHANGES = ['created', 'changed', 'restored', 'shared'] as const;

/** One version of a prompt. */
export interface PromptVersionRow {
  readonly prompt_id: string;
  readonly version: number;
  readonly change: (typeof VERSION_CHANGES)[number];
  /** Null if an erasure or the deletion of a group changed the sharing. */
  readonly user_id: string | null;
  readonly create_time: number;
  readonly restored_version: number | null;
}

interface AudienceRow {
  readonly audience: string;
  readonly prompt_id: string;
  readonly owner_user_id: string;
}

export const promptRows = table<PromptRow>('prompts', {
  byOwner: ['owner_user_id'],
  byOwnCommand: ['owner_user_id', 'command_hash'],
  bySharedCommand: ['is_shared', 'command_hash'],
});
export const promptTextRows = table<PromptTextRow>('prompt_texts');
const versionRows = table<PromptVersionRow>('prompt_versions', { byVersion: ['prompt_id', 'version'] });
/** The contents of the versions, apart from their list, because they are large. */
const versionContentRows = table<PromptContent>('prompt_version_contents');
export const promptAudienceRows = table<AudienceRow>('prompt_audiences', { byAudience: ['audience', 'prompt_id'] });
const erasedRows = table<{ readonly prompts: number }>('erased_prompts');

const versionKey = (promptId: string, version: number) => `${promptId}/${version}`;
export const promptAudienceKey = (promptId: string, audience: string) => `${promptId}/${audience}`;

const contentFields = ({ title, command, commandHash, description }: PromptContent) => ({
  title,
  command,
  command_hash: commandHash,
  description,
});

const sharingFields = ({ scope, userIds, groupIds, editorUserIds, editorGroupIds }: Sharing) => ({
  is_shared: scope !== 'private',
  shared_scope: scope,
  allowed_user_ids: userIds,
  allowed_group_ids: groupIds,
  editor_user_ids: editorUserIds,
  editor_group_ids: editorGroupIds,
});

type Noted = Omit<PromptVersionRow, 'create_time' | 'restored_version'> & { readonly restored_version?: number };

/** Adds a version, and removes the one that is now too old. */
function noted(version: Noted, content: PromptContent | null, { metadata }: At): Change[] {
  const { prompt_id, version: number } = version;
  const oldest = versionKey(prompt_id, number - MAX_PROMPT_VERSIONS);
  const key = versionKey(prompt_id, number);
  return [
    put(versionRows, key, { restored_version: null, ...version, create_time: Instant.toSeconds(metadata.at) }),
    ...(content ? [put(versionContentRows, key, content), put(promptTextRows, prompt_id, { version: number, text: content.text })] : []),
    remove(versionRows, oldest),
    remove(versionContentRows, oldest),
  ];
}

function contentChanged(
  { promptId, version, content }: Extract<PromptsEvent, { type: 'PromptChanged' | 'PromptRestored' }>,
  { metadata }: At,
): Change {
  const times = { change_time: Instant.toSeconds(metadata.at), version, content_version: version };
  return patch(promptRows, promptId, { ...contentFields(content), ...times });
}

function audiencesChanged(prompt_id: string, owner_user_id: string, before: Sharing, after: Sharing): Change[] {
  const [old, now] = [audiencesOf(before), audiencesOf(after)];
  return [
    ...old.filter((one) => !now.includes(one)).map((audience) => remove(promptAudienceRows, promptAudienceKey(prompt_id, audience))),
    ...now
      .filter((one) => !old.includes(one))
      .map((audience) => put(promptAudienceRows, promptAudienceKey(prompt_id, audience), { audience, prompt_id, owner_user_id })),
  ];
}

export const promptList = projection<PromptsEvent>({
  name: 'prompts',
  version: 1,
  tables: [promptRows, promptTextRows, versionRows, versionContentRows, promptAudienceRows, erasedRows],
  on: {
    PromptCreated: ({ promptId, ownerId, content }, at) => {
      const now = Instant.toSeconds(at.metadata.at);
      return [
        put(promptRows, promptId, {
          id: promptId,
          owner_user_id: ownerId,
          ...contentFields(content),
          ...sharingFields(PRIVATE),
          create_time: now,
          change_time: now,
          version: 1,
          content_version: 1,
        }),
        ...noted({ prompt_id: promptId, version: 1, change: 'created', user_id: ownerId }, content, at),
      ];
    },
    PromptChanged: (event, at) => [
      contentChanged(event, at),
      ...noted({ prompt_id: event.promptId, version: event.version, change: 'changed', user_id: event.by }, event.content, at),
    ],
    PromptRestored: (event, at) => {
      const { promptId: prompt_id, version, by: user_id, restored: restored_version } = event;
      return [
        contentChanged(event, at),
        ...noted({ prompt_id, version, change: 'restored', user_id, restored_version }, event.content, at),
      ];
    },
    PromptSharingChanged: ({ promptId, version, by, before, after }, at) => [
      patch(promptRows, promptId, { ...sharingFields(after), version }),
      ...audiencesChanged(promptId, idInStream(at.stream), before, after),
      ...noted({ prompt_id: promptId, version, change: 'shared', user_id: by }, null, at),
    ],
    PromptDeleted: ({ promptId, version, sharing }, { stream }) => [
      remove(promptRows, promptId),
      remove(promptTextRows, promptId),
      ...audiencesChanged(promptId, idInStream(stream), sharing, PRIVATE),
      ...Array.from({ length: Math.min(MAX_PROMPT_VERSIONS, version) }, (_, index) => versionKey(promptId, version - 1 - index)).flatMap(
        (key) => [remove(versionRows, key), remove(versionContentRows, key)],
      ),
    ],
    PromptsErased: ({ prompts }, { stream }) => (prompts > 0 ? [add(erasedRows, idInStream(stream), { prompts }, {})] : []),
  },
});

export const relationToPrompt = (person: Person, row: PromptRow) =>
  relationOf(person, {
    ownerUserId: row.owner_user_id,
    sharing: {
      scope: row.shared_scope,
      userIds: row.allowed_user_ids,
      groupIds: row.allowed_group_ids,
      editorUserIds: row.editor_user_ids,
      editorGroupIds: row.editor_group_ids,
    },
  });

export interface WholePrompt {
  readonly row: PromptRow;
  /** Sealed. */
  readonly text: string;
}

const READS_OF_A_CHANGING_PROMPT = 3;

/**
 * A prompt with its text, null if the person may not see it. Both rows are written together but read one after the other, so they are read
 * again if the prompt has changed in between. Without a person, any prompt.
 */
export const PromptOf = query('PromptOf', async (models, promptId: string, person: Person | null): Promise<WholePrompt | null> => {
  for (let reads = 1; ; reads++) {
    const row = await models.get(promptRows, promptId);
    if (!row || (person && !maySee(relationToPrompt(person, row)))) return null;
    const content = await models.get(promptTextRows, promptId);
    if (!content) return null;
    if (row.content_version === content.version || reads === READS_OF_A_CHANGING_PROMPT) return { row, text: content.text };
  }
});

/** The prompts with these IDs that a person may see. */
export const SeenPrompts = query('SeenPrompts', async (models, ids: readonly string[], person: Person): Promise<readonly PromptRow[]> => {
  const rows = await models.getMany(promptRows, ids);
  return [...rows.values()].filter((row) => maySee(relationToPrompt(person, row)));
});

/** Versions of a prompt before a version, the newest first. */
export const PromptVersionsBefore = query(
  'PromptVersionsBefore',
  async (models, promptId: string, before: number | null, limit: number): Promise<readonly PromptVersionRow[]> => {
    const wanted = { index: 'byVersion', where: { prompt_id: promptId }, order: 'desc', limit } as const;
    return (await models.find(versionRows, { ...wanted, ...(before !== null && { to: before - 1 }) })).rows;
  },
);

/** The content of a version that created, changed or restored it. Null for other versions, and if it is too old. */
export const PromptContentAt = query('PromptContentAt', (models, promptId: string, version: number): Promise<PromptContent | null> =>
  models.get(versionContentRows, versionKey(promptId, version)).then((content) => content ?? null),
);

/** Owners of some of the prompts that are listed under an audience. */
export const PromptOwnersListing = query('PromptOwnersListing', async (models, audience: string): Promise<readonly string[]> => {
  const { rows } = await models.find(promptAudienceRows, { index: 'byAudience', where: { audience }, limit: 1_000 });
  return [...new Set(rows.map((row) => row.owner_user_id))];
});

/** How many prompts were erased with this owner. */
export const PromptsErasedOf = query('PromptsErasedOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedRows, userId))?.prompts ?? 0;
});
