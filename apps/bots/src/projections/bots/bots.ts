import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, patch, projection, put, remove, update } from '@parlance/read-models';
import type { Appearance } from '../../domain/appearance.ts';
import type { BotEvent } from '../../domain/bot.ts';
import { completed, type Configuration, type ConfigurationChange } from '../../domain/configuration.ts';
import { statusOf } from '../../domain/bot.ts';
import { audiencesOf, PRIVATE, type Sharing } from '../../domain/sharing.ts';
import { botOfUploads, type UploadsEvent } from '../../domain/uploads.ts';
import { answeredBy, isSteered, uploadedBy } from './answering-user.ts';
import { audienceKey, audienceRows, type BotContentRow, botContentRows, type BotRow, botRows, erasedBotsRows } from './bot-rows.ts';

const changed = ({ stream, version, position }: At, fields: Partial<BotRow> = {}): Change[] => [
  patch(botRows, idInStream(stream), { ...fields, version, position }),
];

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

/** What a change says about the icon, the colour and the picture. */
const appearanceIn = ({ icon, colour, picture }: Partial<Appearance> = {}): Partial<Appearance> => ({
  ...(icon !== undefined && { icon }),
  ...(colour !== undefined && { colour }),
  ...(picture !== undefined && { picture }),
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
  version: 11,
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
        picture: null,
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
