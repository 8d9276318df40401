// Rows of bots computed from the log of bots: an independent fold.
import { isDeepStrictEqual } from 'node:util';
import { idOf } from '../evidence.mjs';

const PRIVATE = { scope: 'private', userIds: [], groupIds: [], editorUserIds: [], editorGroupIds: [] };

/** How long a file may arrive after its upload address was issued. */
const UPLOAD_MILLIS = 7_200_000;

const changes = {
  BotCreated: 'created',
  BotConfigured: 'configured',
  BotRestored: 'restored',
  BotWidened: 'widened',
  BotNarrowed: 'narrowed',
  BotEditorsChanged: 'editors_changed',
  BotPinned: 'pinned',
  BotUnpinned: 'unpinned',
};

/** Rows of the read models, by their keys. */
export function botsBy(evidence) {
  const [living, contents, audiences, versions, erased] = Array.from({ length: 5 }, () => new Map());
  const bots = new Map();
  for (const { event, commit } of evidence.events('bots').filter((each) => /^(bot|uploads)-/.test(each.commit.stream))) {
    if (commit.stream.startsWith('uploads-')) {
      const bot = bots.get(commit.stream.slice(commit.stream.indexOf('.') + 1));
      if (bot && event.type === 'UploadGranted') bot.content = uploadedTo(bot.content, event.by, commit.metadata.at);
      continue;
    }
    const id = idOf(commit.stream);
    if (event.type === 'BotDeletedWithOwner') {
      const { bots: before = 0 } = erased.get(event.ownerUserId) ?? {};
      erased.set(event.ownerUserId, { user_id: event.ownerUserId, bots: before + 1 });
    }
    if (event.type.startsWith('BotDeleted')) bots.delete(id);
    else bots.set(id, after(bots.get(id), id, event, commit));
  }
  for (const [id, bot] of bots) {
    living.set(id, rowOf(bot));
    contents.set(id, bot.content);
    for (const audience of audiencesOf(bot.sharing)) audiences.set(`${id}/${audience}`, { audience, bot_id: id });
    for (const row of bot.versions) versions.set(`${id}/${row.version}`, row);
  }
  return { living, contents, audiences, versions, erased };
}

function after(bot, id, event, { version, position, metadata }) {
  const now = bot ?? {
    id,
    owner: event.ownerUserId,
    made: seconds(event.createdAt ?? metadata.at),
    sharing: PRIVATE,
    pin: null,
    published: false,
    versions: [],
    content: {},
  };
  const { configuration, changes: { settings, ...texts } = configuration ?? {} } = event;
  if (settings || Object.keys(texts).length > 0) {
    const {
      instruction = now.content.instruction,
      quickStarters = now.content.quick_starters,
      blockedText = now.content.blocked_text,
    } = texts;
    const { content: before } = now;
    const { knowledge, ...given } = event.type === 'BotRestored' ? { ...texts, knowledge: undefined } : texts;
    const isSteered =
      !bot ||
      knowledge !== undefined ||
      ('instruction' in given && !isDeepStrictEqual(given.instruction, before.instruction)) ||
      ('quickStarters' in given && !isDeepStrictEqual(given.quickStarters, before.quick_starters)) ||
      ['tools', 'bedrock_knowledge_base'].some((key) => settings?.[key] && !isDeepStrictEqual(settings[key], before.settings[key]));
    const by = event.by ?? event.ownerUserId;
    now.content = {
      ...(before.uploads && { uploads: before.uploads }),
      version,
      configured_by: isSteered ? (othersUntil(before, by) > metadata.at ? null : by) : before.configured_by,
      instruction,
      quick_starters: quickStarters,
      blocked_text: blockedText ?? null,
      settings: { ...now.content.settings, ...settings },
    };
    Object.assign(now, 'title' in texts && { title: texts.title }, 'description' in texts && { description: texts.description });
  }
  if (event.after) now.sharing = event.after;
  if (event.type === 'BotPinned') now.pin = event.order;
  if (event.type === 'BotUnpinned') now.pin = null;
  if (event.type === 'BotPublished') now.published = true;
  if (event.type === 'BotReleasedFromPublication') now.published = false;
  // Publishing does not create a version.
  if (!changes[event.type]) return Object.assign(now, { version, position });
  now.versions.push({
    bot_id: id,
    version,
    change: changes[event.type],
    user_id: 'by' in event ? event.by : metadata.actor,
    create_time: seconds(metadata.at),
    restored_version: event.type === 'BotRestored' ? event.version : null,
    title: texts.title ?? null,
  });
  return Object.assign(now, { version, position });
}

const uploadedTo = (content, by, at) => ({
  ...content,
  configured_by: othersUntil(content, by) > at ? null : by,
  uploads: { by, until: at + UPLOAD_MILLIS, others_until: othersUntil(content, by) },
});

/** Until when files of other users may arrive. */
function othersUntil({ uploads }, by) {
  if (!uploads) return 0;
  return uploads.by === by ? uploads.others_until : Math.max(uploads.until, uploads.others_until);
}

function rowOf({ id, owner, title, description, sharing, pin, published, made, version, content, position }) {
  return {
    id,
    owner_user_id: owner,
    title,
    description,
    icon: content.settings.icon ?? null,
    colour: content.settings.colour ?? null,
    picture: content.settings.picture ?? null,
    shared_scope: sharing.scope,
    status: pin !== null ? `pinned@${String(pin).padStart(3, '0')}` : sharing.scope === 'private' ? 'unshared' : 'shared',
    pin,
    is_publication: published,
    allowed_user_ids: sharing.userIds,
    allowed_group_ids: sharing.groupIds,
    editor_user_ids: sharing.editorUserIds,
    editor_group_ids: sharing.editorGroupIds,
    create_time: made,
    version,
    content_version: content.version,
    position,
  };
}

function audiencesOf({ scope, userIds, groupIds }) {
  if (scope === 'private') return [];
  const named = [...userIds.map((id) => `user:${id}`), ...groupIds.map((group) => `group:${group}`)];
  return ['shared', ...(scope === 'all' ? ['all'] : []), ...named];
}

const seconds = (millis) => Math.floor(millis / 1000);
