// kill -9 of the single process while a user imports conversations: the import is repeated until it is complete, and nothing is duplicated.
import { setTimeout as pause } from 'node:timers/promises';
import { Evidence } from '../evidence.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const SHORT_ONES = 40;
/** Three are split by number, and three by size. */
const LONG_ONES = [
  { messages: 1_300, characters: 20 },
  { messages: 6, characters: 120_000 },
];
/** An import of this size takes about a second, a fifth of it for starting its thread. */
const [SOONEST_MS, LATEST_MS] = [50, 1_500];
const REPEATS = 10;

export async function imports({ root, seed, count, keep }) {
  const trial = await Trial.open(root, seed, 'imports');
  /** Messages by conversation ID, as in the last report. */
  const expected = new Map();
  const deleted = new Set();
  const figures = { interrupted: 0, continued: 0 };
  let found = await trial.start();
  let round = 0;
  while (found.length === 0 && round < count) {
    round++;
    const chance = trial.chanceOf(round);
    const file = fileOf(round);
    const asked = Array.from({ length: chance.chance(0.3) ? 2 : 1 }, () => send(trial, file));
    await pause(chance.between(SOONEST_MS, LATEST_MS));
    await trial.product.kill();
    const answers = await Promise.all(asked);
    figures.interrupted += answers.every(({ status }) => status === null) ? 1 : 0;
    found = await trial.start();
    if (found.length > 0) break;
    const problems = await completed(trial, file, expected, figures);
    if (problems.length === 0) problems.push(...(await deletedOne(trial, chance, expected, deleted)));
    if (problems.length === 0) problems.push(...compared(trial, expected, deleted));
    if (problems.length > 0) found = [{ name: 'an import is present once', count: problems.length, problems: problems.slice(0, 10) }];
  }
  if (found.length === 0) {
    const problems = await repeated(trial, count, deleted);
    if (problems.length > 0) found = [{ name: 'a repeat changes nothing', count: problems.length, problems: problems.slice(0, 10) }];
  }
  await trial.end({ keep: keep || found.length > 0 });
  const name = `kill -9 while conversations are imported, ${count} rounds`;
  const note = `${figures.interrupted} imports interrupted, ${figures.continued} conversations found by the repeat; ${expected.size} conversations, each once and whole, ${deleted.size} deleted ones stay deleted`;
  if (found.length === 0) pass(name, note);
  else fail(name, found, `in round ${round}; ${note}; all of it is in ${trial.directory}`);
}

const send = (trial, file, query = '') => trial.product.ask('POST', `/conversations/imports${query}`, file);

function fileOf(round) {
  const kinds = [...LONG_ONES, ...Array.from({ length: SHORT_ONES }, () => ({ messages: 6, characters: 200 }))];
  return kinds.map(({ messages, characters }, index) => ({
    format: 'parlance-conversation/1',
    id: `round-${round}-${index}`,
    title: `Conversation ${index}`,
    bot_id: null,
    create_time: 1_700_000_000_000,
    messages: Array.from({ length: messages }, (_, place) => ({
      id: `m${place}`,
      // A tree with branches.
      parent_id: place === 0 ? null : `m${place - 1 - (place % 3 === 0 ? 1 : 0)}`,
      role: place % 2 === 0 ? 'user' : 'assistant',
      model: 'mock',
      create_time: 1_700_000_000_000 + place,
      content: [{ type: 'text', text: `${index} ${place} `.padEnd(characters, 'x') }],
      feedback: null,
    })),
  }));
}

/** Repeats the import until it is complete, as a user would. */
async function completed(trial, file, expected, figures) {
  for (let time = 1; time <= REPEATS; time++) {
    const { status, body } = await send(trial, file);
    if (status !== 200) return [`the repeat was answered with ${status} ${JSON.stringify(body)}`];
    if (time === 1) figures.continued += body.unchanged;
    if (!body.is_complete) continue;
    if (body.left_out.length > 0) return [`left out: ${JSON.stringify(body.left_out.slice(0, 3))}`];
    if (body.conversations.length !== file.length) return [`${body.conversations.length} of ${file.length} conversations were reported`];
    for (const { conversation_id, messages } of body.conversations) expected.set(conversation_id, messages);
    return [];
  }
  return [`the import was not complete after ${REPEATS} requests`];
}

async function deletedOne(trial, chance, expected, deleted) {
  const id = chance.pick([...expected.keys()].filter((its) => !deleted.has(its)));
  const { status, body } = await trial.product.ask('DELETE', `/conversation/${id}`);
  deleted.add(id);
  return status === 200 ? [] : [`the deletion of ${id} was answered with ${status} ${JSON.stringify(body)}`];
}

/** Compares the log and the rows with the reports. */
function compared({ product }, expected, deleted) {
  const evidence = new Evidence(product.data);
  const problems = [];
  try {
    const imported = evidence.events('inference').filter(({ event }) => ['ConversationImported', 'MessagesImported'].includes(event.type));
    const byId = Map.groupBy(imported, ({ commit }) => commit.stream.slice('conversation-'.length));
    if (byId.size !== expected.size) problems.push(`${byId.size} conversations were imported, and ${expected.size} reported`);
    for (const [id, events] of byId) {
      const messages = events.flatMap(({ event }) => event.messages.map((message) => message.id));
      const [{ event: first }] = events;
      if (events.length !== first.own.parts) problems.push(`${id} has ${events.length} of ${first.own.parts} parts`);
      if (new Set(messages).size !== messages.length) problems.push(`${id} has a message twice`);
      if (messages.length !== expected.get(id)) problems.push(`${id} has ${messages.length} of ${expected.get(id)} messages`);
    }
    const listed = evidence.rows('inference', 'conversation-list', 'listed_conversations');
    for (const id of expected.keys()) {
      if (listed.has(id) === deleted.has(id)) problems.push(`${id} is ${deleted.has(id) ? 'deleted, and listed' : 'not listed'}`);
    }
  } finally {
    evidence.close();
  }
  return problems;
}

/** Sends all files again: nothing is imported, and deleted conversations stay deleted. */
async function repeated(trial, count, deleted) {
  const problems = [];
  let stayed = 0;
  for (let round = 1; round <= count; round++) {
    const { status, body } = await send(trial, fileOf(round));
    if (status !== 200 || body.imported > 0)
      problems.push(`the file of round ${round} was answered with ${status}, ${body?.imported} imported`);
    stayed += body?.deleted ?? 0;
  }
  if (stayed !== deleted.size) problems.push(`${stayed} of ${deleted.size} deleted conversations stayed deleted`);
  return problems;
}
