// A copy of the build as a next release might be: versions of read models of both kinds are raised, and there is a new one. Their rows take
// about three seconds to build, however short the logs are, so that there is time for requests and kills. The rows of bots are not completed
// while the file `HELD` is beside the data directory.
import { Tree } from './tree.mjs';

/** Read models of services' own logs and of other services' events: the service, the file of its projections, and the name. */
const raised = [
  ['bots', 'bots/bots', 'bots'],
  ['inference', 'messages/messages', 'messages'],
  ['identity', 'groups', 'groups'],
  ['analytics', 'audit-log', 'audit-log'],
  ['analytics', 'spend', 'spend'],
  ['publication', 'known-bots', 'known-bots'],
];

/** The new read model, and its table. */
export const added = { service: 'publication', projection: 'bot-owners', table: 'bot_owners' };

export const HELD = 'rows-are-held';

const buildMs = 3_000;
const batch = 20;
const waitOf = (head) => `Math.min(1_000, ${buildMs * batch} / ${head})`;

const slowly = [
  { file: 'libs/event-store/dist/event-store.js', find: /READ_COMMITS = 500/, put: `READ_COMMITS = ${batch}` },
  {
    file: 'libs/read-models/dist/running/own.js',
    find: /const to = commits\.at\(-1\)\?\.position \?\? position;/,
    put: `$&
        const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        const isHeld = async () => this.projection.name === 'bots' && (await import('node:fs')).existsSync(\`\${process.env.PARLANCE_DATA_DIR}/../${HELD}\`);
        if (!this.tracker.progress.ready) await pause(${waitOf('head')});
        while (!this.tracker.progress.ready && to >= 0.9 * head && (await isHeld())) await pause(50);`,
  },
  {
    file: 'libs/read-models/dist/running/source-logs.js',
    find: /await setImmediate\(\);/,
    put: `await new Promise((resolve) => setTimeout(resolve, ${waitOf('page.head')}));`,
  },
];

const oneMore = [
  {
    file: 'apps/publication/dist/projections/known-bots.js',
    find: /export const KnownBotById /,
    put: `const ownerRows = table('${added.table}');
export const botOwners = foreignProjection({
    name: '${added.projection}',
    version: 1,
    tables: [ownerRows],
    on: {
        'parlance.bots.bot-created.v1': ({ data: { bot_id, owner_user_id } }) => [put(ownerRows, bot_id, { bot_id, owner_user_id })],
        'parlance.bots.bot-deleted.v1': ({ data }) => [remove(ownerRows, data.bot_id)],
    },
});
$&`,
  },
  {
    file: 'apps/publication/dist/publication.module.js',
    find: /import \{ knownBots \}/,
    put: 'import { botOwners, knownBots }',
  },
  { file: 'apps/publication/dist/publication.module.js', find: /foreign: \[knownBots\]/, put: 'foreign: [knownBots, botOwners]' },
];

/** The tree, and the IDs of read models (`bots@v3`, and the consumer group `bots.bots.v3`) that only one of the two releases has. */
export async function nextRelease(root) {
  const tree = await Tree.copyOf(root);
  const only = { present: new Set(), next: new Set() };
  const note = (release, service, name, version) => only[release].add(`${name}@v${version}`).add(`${service}.${name}.v${version}`);
  note('next', added.service, added.projection, 1);
  for (const change of [...slowly, ...oneMore]) await tree.plant(change);
  for (const [service, file, name] of raised) {
    await tree.plant({
      file: `apps/${service}/dist/projections/${file}.js`,
      find: new RegExp(`(name: '${name}',\\s+version: )(\\d+)`),
      put: (_, before, version) => {
        note('present', service, name, Number(version));
        note('next', service, name, Number(version) + 1);
        return `${before}${Number(version) + 1}`;
      },
    });
  }
  return { tree, only };
}
