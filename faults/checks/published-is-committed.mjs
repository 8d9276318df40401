// I3: exactly the committed events are public, with the same ID, in the order of each stream. Independent of the services' own maps, so that an event
// that is missing there is found here.
import { idOf, services } from '../evidence.mjs';
import { eventsOfAll, expectedEvents, versionOf } from './expected-events.mjs';

/** The field with the ID of an event's subject, by the kind of its stream. */
const subjects = {
  bot: 'bot_id',
  knowledge: 'bot_id',
  publication: 'bot_id',
  keyuse: 'api_key_id',
  conversation: 'conversation_id',
  user: 'user_id',
  session: 'session_id',
  scim: 'token_id',
  tokens: 'user_id',
  modelprices: 'model',
  budget: 'budget_id',
  export: 'period',
  redrive: 'redrive_id',
  embedding: 'use_id',
  knowledgecharge: 'charge_id',
};

export function publishedIsCommitted({ evidence }) {
  const committed = committedIn(evidence);
  const problems = [];
  const seen = new Set();
  const lastOf = new Map();
  const partitionOf = new Map();
  for (const { topic, partition: number, offset, key, event } of evidence.published()) {
    const partition = `${topic}/${number}`;
    const place = `event ${event.id} (${event.type}) at ${partition}/${offset} of the broker`;
    const known = committed.get(event.id);
    if (!known) {
      problems.push(`${place} is in no log`);
      continue;
    }
    const { type, source, stream, sequence, subject } = known;
    const actual = [event.type, event.source, event.subject, key, event.sequence];
    if (actual.join() !== [type, source, stream, stream, sequence.join('.')].join()) problems.push(`${place} has ${actual.join()}`);
    if (subject && event.data[subject.field] !== subject.id) problems.push(`${place} is about ${event.data[subject.field]}`);
    if ((partitionOf.get(key) ?? partition) !== partition) problems.push(`${key} is in two partitions`);
    partitionOf.set(key, partition);
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const before = lastOf.get(stream) ?? [0, 0];
    if (sequence[0] < before[0] || (sequence[0] === before[0] && sequence[1] < before[1]))
      problems.push(`${place} comes after a later one`);
    lastOf.set(stream, sequence);
  }
  for (const [id, { type, stream }] of committed)
    if (!seen.has(id)) problems.push(`event ${id} (${type}) of ${stream} was never published`);
  return problems;
}

/** The expected publication of every public event. */
function committedIn(evidence) {
  const committed = new Map();
  for (const service of services) {
    for (const { id, index, event, commit } of evidence.events(service)) {
      const ofAll = eventsOfAll[event.type];
      const [name] = ofAll ?? expectedEvents[service]?.[event.type] ?? [];
      if (!name) continue;
      const type = `parlance.${service}.${name}.v${versionOf(event)}`;
      const { stream, position } = commit;
      const field = subjects[stream.slice(0, stream.indexOf('-'))];
      const subject = !ofAll && field && { field, id: idOf(stream) };
      committed.set(id, { type, source: `/${service}`, stream, sequence: [position, index], subject });
    }
  }
  return committed;
}
