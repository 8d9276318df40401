// Records requests and their outcomes: in memory for the checks, and line by line in a file for the analysis of a failure.
import { createWriteStream } from 'node:fs';
import { BotRecord } from './bot-record.mjs';
import { ConversationRecord } from './conversation-record.mjs';
import { KnowledgeRecord } from './knowledge-record.mjs';
import { KeyedRecord, PersonRecord } from './person-record.mjs';
import { SlowRecord } from './slow-record.mjs';

export class Ledger {
  bots = new Map();
  conversations = new Map();
  people = new Map();
  /** Records by Idempotency-Key. */
  keyed = new Map();
  /** Requests whose bodies arrived in two parts. */
  slowOnes = new Map();
  /** Bots with knowledge. */
  knowledge = new Map();
  /** The IDs of requests that were refused and must be recorded. */
  refused = new Set();
  /** Answers that no possible state explains. */
  oddities = [];
  /** Whether the disk is full or broken. Then 503 is expected, and means no effect unless the answer states otherwise. */
  isDiskFailing = false;
  /** Whether rows are being built. Then 503 is expected in the same way. */
  isBuilding = false;
  /** Whether the product is stopping. Then 503 is expected in the same way. */
  isStopping = false;
  counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  /** Records whose state may have changed since their last check in the log, and through the API. */
  #touched = { log: new Set(), api: new Set(), slow: new Set(), knowledge: new Set() };

  constructor(path) {
    this.file = createWriteStream(path, { flags: 'a' });
  }

  bot(id) {
    let record = this.bots.get(id);
    if (!record) this.bots.set(id, (record = new BotRecord(id)));
    return record;
  }

  conversation(id, botId = null) {
    let record = this.conversations.get(id);
    if (!record) this.conversations.set(id, (record = new ConversationRecord(id, botId)));
    return record;
  }

  person(id, owner, how) {
    const record = new PersonRecord(id, owner, how);
    this.people.set(id, record);
    return record;
  }

  keyedBot(id, owner) {
    const record = new KeyedRecord(id, owner);
    this.keyed.set(id, record);
    return record;
  }

  knowledgeOf(id, owner) {
    const record = new KnowledgeRecord(id, owner);
    this.knowledge.set(id, record);
    return record;
  }

  slow(id, kind, person, session) {
    const record = new SlowRecord(id, kind, person, session);
    this.slowOnes.set(id, record);
    return record;
  }

  /** Records a request with its outcome. `status` is null without an answer. Adds the problem that `judge` returns to `oddities`. */
  note(record, request, { status, body, why }, judge, lose) {
    for (const touched of Object.values(this.#touched)) touched.add(record);
    this.file.write(`${JSON.stringify({ at: Date.now(), id: record.id, ...request, status, code: body?.code })}\n`);
    if (status === null) {
      this.counts.unanswered++;
      lose();
      if (why.includes('no answer within')) this.oddities.push(`${record.id}: ${request.type} got ${why}`);
      return;
    }
    this.counts[status < 300 ? 'acknowledged' : 'refused']++;
    // A 500 leaves the effect open, and must not occur in these runs.
    if (status >= 500) {
      const isExpected = (this.isDiskFailing || this.isBuilding || this.isStopping) && status === 503;
      if (isExpected && body?.code !== 'recorded_not_visible') return;
      lose();
      if (isExpected) return;
      this.oddities.push(`${record.id}: ${request.type} answered ${status} ${JSON.stringify(body)}`);
      return;
    }
    const problem = judge();
    if (problem) this.oddities.push(problem);
  }

  noteBot(record, type, title, answer) {
    this.note(
      record,
      { type, title },
      answer,
      () => record.answered(type, title, answer.status, answer.body),
      () => record.lost(type, title),
    );
  }

  noteMessage(record, text, expected, answer) {
    this.note(
      record,
      { type: 'message', text },
      answer,
      () => record.answered(text, expected, answer.status, answer.body),
      () => record.sentInVain(text),
    );
  }

  notePerson(record, type, answer, group) {
    this.note(
      record,
      { type, group },
      answer,
      () => record.answered(type, answer.status, answer.body, group),
      () => record.lost(type, group),
    );
  }

  noteSession(record, session, type, answer) {
    this.note(
      record,
      { type },
      answer,
      () => record.sessionAnswered(session, type, answer.status),
      () => record.sessionLost(session, type),
    );
  }

  /** Records a slow request, whose own record judges the answer. */
  noteSlow(record, change, answer) {
    this.note(
      record,
      { type: `slow ${record.kind}`, change },
      answer,
      () => record.answered(answer.status),
      () => record.lost(),
    );
  }

  noteKeyed(record, answer) {
    this.note(
      record,
      { type: 'keyed' },
      answer,
      () => record.answered(answer.status, answer.body),
      () => undefined,
    );
  }

  /** Records a request that never changes data. */
  noteStatus(type, answer, expected) {
    const judge = () => (answer.status === expected ? undefined : `${type} answered ${answer.status}, not ${expected}`);
    this.note({ id: type, problems: () => [] }, { type }, answer, judge, () => undefined);
  }

  takeTouched(where) {
    const touched = this.#touched[where];
    this.#touched[where] = new Set();
    return touched;
  }

  close() {
    return new Promise((resolve) => this.file.end(resolve));
  }
}
