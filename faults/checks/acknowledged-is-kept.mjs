// I1: every acknowledged command survives, and no refused command has an effect. A command without an answer has its whole effect or none.
import { idOf } from '../evidence.mjs';
import { SlowRecord } from '../slow-record.mjs';

/** Checks the records whose state may have changed since the last check. Fast enough to run after every restart. */
export function touchedIsKept({ ledger, evidence }) {
  const problems = ledger.oddities.splice(0);
  for (const record of ledger.takeTouched('log')) if (!(record instanceof SlowRecord)) problems.push(...problemsOf(record, evidence));
  return problems;
}

function problemsOf(record, evidence) {
  if ('problems' in record && !('messages' in record)) return record.problems(evidence);
  if ('messages' in record) return record.problems(evidence.stream('inference', `conversation-${record.id}`));
  const commits = evidence.stream('bots', `bot-${record.id}`);
  const problem = record.found(commits.flatMap(({ events }) => events.map(({ event }) => event)));
  return problem ? [problem] : [];
}

/** Checks all records, and that the logs contain no stream without a request. */
export function acknowledgedIsKept({ ledger, evidence }) {
  const problems = ledger.oddities.splice(0);
  for (const records of [ledger.bots, ledger.conversations, ledger.people, ledger.keyed, ledger.knowledge])
    for (const record of records.values()) problems.push(...problemsOf(record, evidence));
  const strangers = (service, known) => {
    for (const stream of new Set(evidence.log(service).map((commit) => commit.stream)))
      if (!stream.startsWith('refusal-') && !known.has(botOf(stream)) && !known.has(stream))
        problems.push(`${stream} is in the log of ${service}, but no client requested it`);
  };
  const titles = new Set([...ledger.keyed.values()].map(({ title }) => title));
  const keyed = evidence
    .events('bots')
    .filter(({ event }) => titles.has(event.configuration?.settings.generation_params.stop_sequences[0]));
  // An erasure closes the user's lists of prompts, shares, exports, projects and files of calls, and the user's memory. No client of a scenario
  // creates these.
  const erased = evidence.events('identity').filter(({ event }) => event.type === 'UserErased');
  const closed = (...kinds) => erased.flatMap(({ commit }) => kinds.map((kind) => `${kind}-${idOf(commit.stream)}`));
  strangers(
    'bots',
    new Set([
      ...ledger.bots.keys(),
      ...ledger.knowledge.keys(),
      ...ledger.slowOnes.keys(),
      ...keyed.map(({ commit }) => idOf(commit.stream)),
      ...closed('prompts'),
    ]),
  );
  strangers(
    'inference',
    new Set([
      ...ledger.conversations.keys(),
      ...ledger.slowOnes.keys(),
      ...closed('shares', 'ownexport', 'projects', 'gatewayfiles', 'memory'),
    ]),
  );
  return problems;
}

/** Uploads have streams by user and bot. */
const botOf = (stream) => (stream.startsWith('uploads-') ? stream.slice(stream.indexOf('.') + 1) : idOf(stream));

/** Checks through the API which bots exist, and that each accepted message can be read with its text. */
export async function clientsSeeIt({ ledger, evidence, product, chance, most = 150 }) {
  const problems = [];
  for (const record of sample(chance, [...ledger.bots.values()], most)) {
    const { status, body } = await product.ask('GET', `/bot/${record.id}`);
    const problem = record.answered('find', '', status, body);
    if (problem) problems.push(problem);
  }
  const conversations = sample(
    chance,
    [...ledger.conversations.values()].filter(({ messages }) => messages.length > 0),
    most,
  );
  for (const record of conversations) problems.push(...(await misread(record, evidence, product)));
  return problems;
}

async function misread(record, evidence, product) {
  const commits = evidence.stream('inference', `conversation-${record.id}`);
  const submitted = commits.flatMap(({ events }) => events.map(({ event }) => event).filter(({ type }) => type === 'MessageSubmitted'));
  const problems = [];
  const sent = record.messages.filter(({ outcome }) => outcome !== 'refused');
  for (const { messageId, replyId } of submitted) {
    const { status, body } = await product.ask('GET', `/conversation/${record.id}/${messageId}`);
    const text = body?.message?.content?.[0]?.body;
    const found = sent.findIndex((message) => message.text === text && (message.replyId ?? replyId) === replyId);
    if (found === -1) problems.push(`conversation ${record.id} shows a message that no client sent: ${status} “${text}”`);
    else sent.splice(found, 1);
  }
  for (const { text } of sent.filter(({ outcome }) => outcome === 'accepted'))
    problems.push(`conversation ${record.id}: “${text}” was accepted and cannot be read`);
  return problems;
}

function sample(chance, list, most) {
  if (list.length <= most) return list;
  return Array.from({ length: most }, () => list.splice(chance.between(0, list.length - 1), 1)[0]);
}
