import { setImmediate } from 'node:timers/promises';
import { Instant } from '@parlance/decider';
import { type Commit, EventStore, idInStream } from '@parlance/event-store';
import { type At, type Change, projection, put, remove, table } from '@parlance/read-models';
import { query, queryWith } from '../bus.ts';
import { type BotEvent, botStream } from '../domain/bot.ts';
import { type BotText, type Configuration, configured } from '../domain/configuration.ts';

/** The newest versions of a bot, which are listed and can be restored. */
export const MOST_VERSIONS = 500;

export const VERSION_CHANGES = [
  'created',
  'configured',
  'restored',
  'widened',
  'narrowed',
  'editors_changed',
  'pinned',
  'unpinned',
] as const;
export type VersionChange = (typeof VERSION_CHANGES)[number];

/** One version of a bot. */
export interface VersionRow {
  bot_id: string;
  version: number;
  change: VersionChange;
  user_id: string | null;
  create_time: number;
  restored_version: number | null;
  /** The title that the version gave the bot; null if it did not change. */
  title: BotText | null;
}

const versionRows = table<VersionRow>('bot_versions', { byVersion: ['bot_id', 'version'] });

const keyOf = (botId: string, version: number) => `${botId}/${version}`;

const noted =
  <Event extends BotEvent>(change: VersionChange, titleOf: (event: Event) => BotText | undefined = () => undefined) =>
  (event: Event, { stream, version, metadata }: At): Change[] => {
    const botId = idInStream(stream);
    return [
      put(versionRows, keyOf(botId, version), {
        bot_id: botId,
        version,
        change,
        // In an append of a policy, the actor is the user who caused the erasure or deletion, not a user who changed the bot.
        user_id: 'by' in event ? event.by : metadata.actor,
        create_time: Instant.toSeconds(metadata.at),
        restored_version: event.type === 'BotRestored' ? event.version : null,
        title: titleOf(event) ?? null,
      }),
      ...oldestRemoved(botId, version),
    ];
  };

const oldestRemoved = (botId: string, version: number): Change[] =>
  version > MOST_VERSIONS ? [remove(versionRows, keyOf(botId, version - MOST_VERSIONS))] : [];

/**
 * Publishing and holds change no configuration, so they create no version. The oldest version is removed with each change of the stream.
 */
const passed = (_event: BotEvent, { stream, version }: At): Change[] => oldestRemoved(idInStream(stream), version);

const removed = (_event: BotEvent, { stream, version }: At): Change[] =>
  Array.from({ length: Math.min(MOST_VERSIONS, version) }, (_, index) =>
    remove(versionRows, keyOf(idInStream(stream), version - 1 - index)),
  );

export const botHistory = projection<BotEvent>({
  name: 'bot-history',
  version: 1,
  tables: [versionRows],
  on: {
    BotCreated: noted('created', ({ configuration }) => configuration.title),
    BotConfigured: noted('configured', ({ changes }) => changes.title),
    BotRestored: noted('restored', ({ configuration }) => configuration.title),
    BotWidened: noted('widened'),
    BotNarrowed: noted('narrowed'),
    BotEditorsChanged: noted('editors_changed'),
    BotPinned: noted('pinned'),
    BotUnpinned: noted('unpinned'),
    BotReservedForPublication: passed,
    BotPublished: passed,
    BotReleasedFromPublication: passed,
    BotHeld: passed,
    BotHoldEnded: passed,
    BotDeleted: removed,
    BotDeletedWithOwner: removed,
  },
});

/** Versions before a version, newest first. */
export const VersionsBefore = query(
  'VersionsBefore',
  async (models, botId: string, before: number | null, limit: number): Promise<readonly VersionRow[]> => {
    const wanted = { index: 'byVersion', where: { bot_id: botId }, order: 'desc', limit } as const;
    return (await models.find(versionRows, { ...wanted, ...(before !== null && { to: before - 1 }) })).rows;
  },
);

/** The most commits in a page of the log. A page is limited in bytes too, because instructions can be large. */
const PAGE_COMMITS = 100;
const PAGE_BYTES = 1024 * 1024;

/** The configuration that a bot had in a version, from the log; null if the bot never had that version. */
export const ConfigurationAt = queryWith(
  'ConfigurationAt',
  [EventStore],
  async ([store], botId: string, last: number): Promise<Configuration | null> => {
    let found: Configuration | null = null;
    let version = 0;
    for (let more = true; more && version < last;) {
      // A page takes about 5 ms and may be read synchronously, so this yields to other work between pages.
      if (version > 0) await setImmediate();
      const page = await store.read(botStream(botId), version, Math.min(PAGE_COMMITS, last - version), PAGE_BYTES);
      for (const { events } of page.commits as readonly Commit<BotEvent>[]) for (const { event } of events) found = after(found, event);
      version = page.commits.at(-1)?.version ?? version;
      more = page.more && page.commits.length > 0;
    }
    return version === last ? found : null;
  },
);

function after(before: Configuration | null, event: BotEvent): Configuration | null {
  if (event.type === 'BotCreated' || event.type === 'BotRestored') return event.configuration;
  return event.type === 'BotConfigured' && before ? configured(before, event.changes) : before;
}
