// I12: every run ends, each bot is answered from one whole index of its own, and no unused index or file is left.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMMON_WORD } from '../knowledge-record.mjs';

/** Searches bots whose knowledge may have changed since the last check, right after a restart. */
export async function searchesAreWhole({ ledger, product, most = 40 }) {
  const touched = [...ledger.takeTouched('knowledge')].filter((record) => 'canary' in record);
  return searched(product, touched.slice(-most));
}

async function searched(product, records) {
  const problems = [];
  for (const record of records) {
    const body = { query: `Which ${COMMON_WORD} sleep? ${record.canary}`, max_results: 20 };
    const found = await product.ask('POST', `/bot/${record.id}/knowledge/search`, body);
    const problem = record.searchAnswered(found.status, found.body);
    if (problem) problems.push(problem);
  }
  return problems;
}

/** The newest save is in service when no work is left. */
export async function savesAreInService({ ledger, product }) {
  const problems = [];
  for (const record of ledger.knowledge.values()) {
    if (record.newest === 0) continue;
    const { status, body } = await product.ask('GET', `/bot/${record.id}/knowledge/sync`);
    const problem = record.runAnswered(status, body);
    if (problem) problems.push(problem);
    problems.push(...(await searched(product, [record])));
    if (status === 200 && record.served < record.newest)
      problems.push(`knowledge of bot ${record.id}: save ${record.newest} was accepted, and save ${record.served} is in service`);
  }
  return problems;
}

/** Every started run has one end when no work is left. */
export function everyRunEnds({ evidence }) {
  const ends = new Map();
  for (const { event } of evidence.events('bots')) {
    if (event.type === 'SyncStarted') ends.set(event.runId, 0);
    if (['SyncAbandoned', 'SyncSucceeded', 'SyncFailed'].includes(event.type)) ends.set(event.runId, (ends.get(event.runId) ?? 0) + 1);
  }
  // A deletion ends the run of its bot without an event.
  const removed = new Set();
  const runs = new Map();
  for (const { event, commit } of evidence.events('bots')) {
    if (event.type === 'SyncStarted') runs.set(event.runId, commit.stream);
    if (event.type === 'KnowledgeRemoved') removed.add(commit.stream);
  }
  const problems = [];
  for (const [run, count] of ends)
    if (count > 1 || (count === 0 && !removed.has(runs.get(run)))) problems.push(`run ${run} of ${runs.get(run)} has ${count} ends`);
  return problems;
}

/** No unused index, file or download exists when no work is left and the clean-up has run. */
export function nothingIsOrphaned({ evidence, product }) {
  return orphans(evidence, product?.pid);
}

/** Indexes, files and downloads that nothing uses. */
export function orphans(evidence, pid) {
  const found = [];
  const syncs = evidence.rows('bots', 'knowledge', 'knowledge_syncs');
  const indexes = indexesIn(evidence.data);
  for (const { bot, generation, name } of indexes)
    if (syncs.get(bot)?.generation !== generation || !name.endsWith('.sqlite')) found.push(`index ${name} of bot ${bot} is not in service`);
  const present = new Set(indexes.map(({ bot, generation }) => `${bot}/${generation}`));
  for (const [bot, { generation }] of syncs)
    if (generation !== null && !present.has(`${bot}/${generation}`)) found.push(`index ${generation} of bot ${bot} is missing`);
  const uploads = evidence.rows('bots', 'knowledge-uploads', 'knowledge_uploads');
  for (const key of filesIn(join(evidence.data, 'objects/knowledge'))) {
    const [owner, bot] = key.split('/');
    if (syncs.has(bot)) continue;
    const isDeleted = evidence.stream('bots', `bot-${bot}`).length > 0;
    if (isDeleted || !uploads.has(`${owner}.${bot}`)) found.push(`file ${key} belongs to no bot`);
  }
  const scratch = join(evidence.data, 'scratch');
  for (const key of filesIn(scratch)) if (!pid || !key.startsWith(`${pid}/`)) found.push(`download ${key} was left`);
  return found;
}

function indexesIn(data) {
  return filesIn(join(data, 'knowledge/files')).flatMap((key) => {
    const [bot, name] = key.split('/');
    const [, generation] = /^(.+)\.(?:sqlite|building)$/.exec(name ?? '') ?? [];
    return generation === undefined ? [] : [{ bot, generation, name }];
  });
}

function filesIn(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
}
