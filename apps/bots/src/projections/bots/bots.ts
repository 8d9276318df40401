import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, patch, projection, put, type ReadModels, remove, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { Appearance } from '../../domain/appearance.ts';
import type { BotEvent } from '../../domain/bot.ts';
import { type BotSettings, type BotText, completed, type Configuration, type ConfigurationChange } from '../../domain/configuration.ts';
import { statusOf } from '../../domain/bot.ts';
import { audiencesOf, maySee, type Person, PRIVATE, relationOf, type Scope, SHARED_AUDIENCE, type Sharing } from '../../domain/sharing.ts';
import { botOfUploads, type UploadsEvent } from '../../domain/uploads.ts';
import { answeredBy, isSteered, uploadedBy, type Uploaders } from './answering-user.ts';

/** A bot as lists need it. The texts are sealed, and opened for an answer. */
export interface BotRow extends Appearance {
  id: string;
  owner_user_id: string;
  title: BotText;
  description: BotText | null;
  shared_scope: Scope;
  status: string;
  /** The order of a pinned bot; null if it is not pinned. */
  pin: number | null;
  is_publication: boolean;
  allowed_user_ids: readonly string[];
  allowed_group_ids: readonly string[];
  editor_user_ids: readonly string[];
  editor_group_ids: readonly string[];
  create_time: number;
  /** Version of the bot's stream: the ETag. */
  version: number;
  /** The version in which the content last changed. */
  content_version: number;
  /** Position of the newest event in the row. The store index asks for later ones. */
  position: number;
}

/** The rest of a bot, which can be large. */
export interface BotContentRow {
  version: number;
  instruction: BotText | null;
  /** JSON. */
  quick_starters: BotText | null;
  /** Absent or null: the default text. */
  blocked_text?: BotText | null;
  /**
   * The user who last changed the tools, the knowledge or what the model is asked. Null if another user could still replace files then, because
   * nobody answers for all of it.
   */
  configured_by: string | null;
  settings: BotSettings;
  /** Absent if no upload address was issued since the bot was created. */
  uploads?: Uploaders;
}

/** One audience that a bot is listed under. */
interface AudienceRow {
  audience: string;
  bot_id: string;
}

/** How many bots were deleted with their erased owner. The receipt needs the number, even if the erasure is repeated. */
interface ErasedBotsRow {
  user_id: string;
  bots: number;
}

export const botRows = table<BotRow>('bots', { byOwner: ['owner_user_id'], byPosition: ['position'] });
export const botContentRows = table<BotContentRow>('bot_contents');
export const audienceRows = table<AudienceRow>('bot_audiences', { byAudience: ['audience', 'bot_id'] });
export const erasedBotsRows = table<ErasedBotsRow>('erased_bots');

const changed = ({ stream, version, position }: At, fields: Partial<BotRow> = {}): Change[] => [
  patch(botRows, idInStream(stream), { ...fields, version, position }),
];

export const audienceKey = (botId: string, audience: string) => `${botId}/${audience}`;

function audiencesChanged(botId: string, before: Sharing, after: Sharing): Change[] {
  const [old, now] = [new Set(audiencesOf(before)), new Set(audiencesOf(after))];
  return [
    ...[...old].filter((audience) => !now.has(audience)).map((audience) => remove(audienceRows, audienceKey(botId, audience))),
    ...[...now]
      .filter((audience) => !old.has(audience))
      .map((audience) => put(audienceRows, audienceKey(botId, audience), { audience, bot_id: botId })),
  ];
}

function shared({ before, after }: { before: Sharing; after: Sharing }, at: At): Change[] {
  const id = idInStream(at.stream);
  return [
    ...changed(at),
    update(botRows, id, (row) => row && { ...row, ...sharingFields(after), status: statusOf(after.scope, row.pin) }),
    ...audiencesChanged(id, before, after),
  ];
}

const sharingFields = ({ scope, userIds, groupIds, editorUserIds, editorGroupIds }: Sharing) => ({
  shared_scope: scope,
  allowed_user_ids: userIds,
  allowed_group_ids: groupIds,
  editor_user_ids: editorUserIds,
  editor_group_ids: editorGroupIds,
});

/** Null for empty texts, undefined for unchanged texts. */
function configured(changes: ConfigurationChange, by: string, at: At): Change[] {
  const { title, description, instruction, quickStarters, blockedText, settings } = changes;
  const id = idInStream(at.stream);
  const shown = { ...(title && { title }), ...(description !== undefined && { description }), ...appearanceIn(settings) };
  return [
    ...changed(at, { ...shown, content_version: at.version }),
    update(
      botContentRows,
      id,
      (row) =>
        row && {
          ...row,
          version: at.version,
          instruction: instruction === undefined ? row.instruction : instruction,
          quick_starters: quickStarters === undefined ? row.quick_starters : quickStarters,
          blocked_text: (blockedText === undefined ? row.blocked_text : blockedText) ?? null,
          configured_by: isSteered(row, changes) ? answeredBy(row, by, at.metadata.at) : row.configured_by,
          settings: completed({ ...row.settings, ...settings }),
        },
    ),
  ];
}

/** What a change says about the icon and the colour. */
const appearanceIn = ({ icon, colour }: Partial<Appearance> = {}): Partial<Appearance> => ({
  ...(icon !== undefined && { icon }),
  ...(colour !== undefined && { colour }),
});

const removed = (botId: string, sharing: Sharing): Change[] => [
  remove(botRows, botId),
  remove(botContentRows, botId),
  ...audiencesChanged(botId, sharing, PRIVATE),
];

const contentOf = (
  { instruction, quickStarters, blockedText = null, settings }: Configuration,
  configured_by: string,
  version: number,
): BotContentRow => ({
  version,
  configured_by,
  instruction,
  quick_starters: quickStarters,
  blocked_text: blockedText,
  settings: completed(settings),
});

export const bots = projection<BotEvent | UploadsEvent>({
  name: 'bots',
  version: 10,
  tables: [botRows, botContentRows, audienceRows, erasedBotsRows],
  on: {
    BotCreated: ({ ownerUserId, configuration, createdAt }, { stream, version, position, metadata }) => [
      put(botRows, idInStream(stream), {
        id: idInStream(stream),
        owner_user_id: ownerUserId,
        title: configuration.title,
        description: configuration.description,
        icon: null,
        colour: null,
        ...appearanceIn(configuration.settings),
        ...sharingFields(PRIVATE),
        status: statusOf('private', null),
        pin: null,
        is_publication: false,
        create_time: Instant.toSeconds(createdAt ?? metadata.at),
        version,
        content_version: version,
        position,
      }),
      put(botContentRows, idInStream(stream), contentOf(configuration, ownerUserId, version)),
    ],
    BotConfigured: ({ changes, by }, at) => configured(changes, by, at),
    // Restoring does not change the knowledge. A setting that the restored version lacks gets its default.
    BotRestored: ({ configuration: { knowledge: _, settings, ...texts }, by }, at) =>
      configured({ ...texts, settings: completed(settings) }, by, at),
    UploadGranted: ({ by }, { stream, metadata }) => [
      update(botContentRows, botOfUploads(idInStream(stream)), (row) => row && uploadedBy(row, by, metadata.at)),
    ],
    BotWidened: shared,
    BotNarrowed: shared,
    BotEditorsChanged: shared,
    BotHeld: (_, at) => changed(at),
    BotHoldEnded: (_, at) => changed(at),
    BotPinned: ({ order }, at) => changed(at, { pin: order, status: statusOf('all', order) }),
    // Only a shared bot can be pinned.
    BotUnpinned: (_, at) => changed(at, { pin: null, status: statusOf('all', null) }),
    BotReservedForPublication: (_, at) => changed(at),
    BotPublished: (_, at) => changed(at, { is_publication: true }),
    BotReleasedFromPublication: (_, at) => changed(at, { is_publication: false }),
    BotDeleted: ({ sharing }, { stream }) => removed(idInStream(stream), sharing),
    BotDeletedWithOwner: ({ ownerUserId, sharing }, { stream }) => [
      ...removed(idInStream(stream), sharing),
      add(erasedBotsRows, ownerUserId, { bots: 1 }, { user_id: ownerUserId }),
    ],
  },
});

export const sharingOf = (row: BotRow): Sharing => ({
  scope: row.shared_scope,
  userIds: row.allowed_user_ids,
  groupIds: row.allowed_group_ids,
  editorUserIds: row.editor_user_ids,
  editorGroupIds: row.editor_group_ids,
});

export const relationTo = (person: Person, row: BotRow) => relationOf(person, { ownerUserId: row.owner_user_id, sharing: sharingOf(row) });

const READS_OF_A_CHANGING_BOT = 3;

/**
 * A bot with its content. Both rows are written together but read one after the other, so they are read again if the bot has changed in
 * between. With a person, null also if this user may not see the bot: then its content is not read, because the response time would reveal
 * it.
 */
export const WholeBot = query(
  'WholeBot',
  async (models, botId: string, person: Person | null): Promise<{ row: BotRow; content: BotContentRow } | null> => {
    for (let reads = 1; ; reads++) {
      const row = await models.get(botRows, botId);
      if (!row || (person && !maySee(relationTo(person, row)))) return null;
      const content = await models.get(botContentRows, botId);
      if (!content) return null;
      if (row.content_version === content.version || reads === READS_OF_A_CHANGING_BOT) return { row, content };
    }
  },
);

/** Bots that were changed after a position of the log, in the order of the changes, and whether there are more. */
export const BotsChangedAfter = query(
  'BotsChangedAfter',
  async (models, position: number, limit: number): Promise<{ rows: readonly BotRow[]; more: boolean }> => {
    const { rows, next } = await models.find(botRows, { index: 'byPosition', from: position + 1, limit });
    return { rows, more: next !== null };
  },
);

/** The number of rows that are read at once. With the longest lists they have about 3 MB. */
const ROWS_AT_ONCE = 200;

/** The bots that are not deleted, in the order of their IDs in the argument. */
export async function rowsOf(models: ReadModels, ids: readonly string[]): Promise<readonly BotRow[]> {
  const rows: BotRow[] = [];
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const part = ids.slice(from, from + ROWS_AT_ONCE);
    const found = await models.getMany(botRows, part);
    rows.push(...part.flatMap((id) => found.get(id) ?? []));
  }
  return rows;
}

/** The number of IDs in a page of bots. Erasures request the next page when the bots of this page are changed. */
const ERASED_AT_ONCE = 1_000;

/** The IDs of some of a user's bots. */
export const BotsOf = query('BotsOf', async (models, userId: string): Promise<readonly string[]> => {
  return (await models.find(botRows, { index: 'byOwner', where: { owner_user_id: userId }, limit: ERASED_AT_ONCE })).keys;
});

/** The number of bots in a page that a service reads for their owner. */
const OWN_AT_ONCE = 10;

/** The bots of a user in the order of their IDs. */
export const OwnBotIds = query(
  'OwnBotIds',
  async (models, userId: string, after: string | null): Promise<{ ids: readonly string[]; next: string | null }> => {
    const cursor = after === null ? {} : { after: [userId, after] };
    const { keys, next } = await models.find(botRows, {
      index: 'byOwner',
      where: { owner_user_id: userId },
      limit: OWN_AT_ONCE,
      ...cursor,
    });
    return { ids: keys, next: next === null ? null : keys.at(-1)! };
  },
);

/** How many bots were deleted with this owner. */
export const BotsErasedOf = query('BotsErasedOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedBotsRows, userId))?.bots ?? 0;
});

/** The IDs of some of the bots that are listed under an audience. */
export const BotsListedUnder = query('BotsListedUnder', async (models, audience: string): Promise<readonly string[]> => {
  const { rows } = await models.find(audienceRows, { index: 'byAudience', where: { audience }, limit: ERASED_AT_ONCE });
  return rows.map((row) => row.bot_id);
});

/** Titles of bots that are not deleted, by bot. */
export const TitlesOf = query('TitlesOf', async (models, botIds: readonly string[]): Promise<ReadonlyMap<string, BotText>> => {
  return new Map((await rowsOf(models, botIds)).map((row) => [row.id, row.title]));
});

/** The IDs of the bots that are not private, newest first. */
export const SharedBotIds = query(
  'SharedBotIds',
  async (models, after: string | null, limit: number): Promise<{ bot_ids: readonly string[]; next: string | null }> => {
    const cursor = after === null ? {} : { after: [SHARED_AUDIENCE, after, audienceKey(after, SHARED_AUDIENCE)] };
    const wanted = { index: 'byAudience', where: { audience: SHARED_AUDIENCE }, order: 'desc', limit: limit + 1, ...cursor } as const;
    const ids = (await models.find(audienceRows, wanted)).rows.map((row) => row.bot_id);
    const bot_ids = ids.slice(0, limit);
    return { bot_ids, next: ids.length > limit ? bot_ids.at(-1)! : null };
  },
);

/** The bots with these IDs that are not deleted, in the order of the IDs. */
export const BotsWithIds = query('BotsWithIds', (models, ids: readonly string[]): Promise<readonly BotRow[]> => rowsOf(models, ids));

/** The bots with these IDs that a person may see. */
export const SeenBots = query('SeenBots', async (models, ids: readonly string[], person: Person): Promise<readonly BotRow[]> =>
  (await rowsOf(models, ids)).filter((row) => maySee(relationTo(person, row))),
);
