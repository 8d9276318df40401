// The load on knowledge: files are uploaded, bots are saved with them, read again, searched and deleted. Bots of earlier rounds are used
// again, so that an index in service before a crash is searched after it.
import { COMMON_WORD } from './knowledge-record.mjs';

export const weightsOfKnowledge = { saveNew: 5, saveAgain: 6, sync: 4, search: 14, draft: 1, deleteWithKnowledge: 2 };

/** The client's most used bots. */
const recent = 12;

export class KnowledgeClient {
  #records;

  constructor(client, number) {
    Object.assign(this, { client, ledger: client.ledger, chance: client.chance, number });
    this.#records = [...this.ledger.knowledge.values()].filter(({ owner }) => owner === number);
  }

  #added() {
    const record = this.ledger.knowledgeOf(this.chance.ulid(), this.number);
    this.#records.push(record);
    return record;
  }

  #one() {
    const living = this.#records.filter(({ isDeleted, newest }) => isDeleted !== 'yes' && newest > 0);
    return living.length === 0 ? undefined : this.chance.pick(this.chance.chance(0.8) ? living.slice(-recent) : living);
  }

  #note(record, type, answer, judge, lose = () => undefined) {
    this.ledger.note(record, { type }, answer, () => judge(answer.status, answer.body), lose);
    return answer;
  }

  /** Whether all files of the save were stored. */
  async #upload(record, files) {
    for (const { name, text } of files) {
      const path = `/bot/${record.id}/presigned-url?filename=${name}&content_type=text/plain`;
      const granted = await this.client.ask('GET', path);
      if (granted.status !== 200) return false;
      const { pathname, search } = new URL(granted.body.url);
      record.sent++;
      const sent = await this.client.ask('PUT', pathname + search, undefined, {
        signedIn: false,
        headers: granted.body.headers,
        raw: text,
      });
      this.#note(record, 'upload', sent, (status) => (status === 200 ? undefined : `upload for bot ${record.id} answered ${status}`));
      if (sent.status !== 200) return false;
    }
    return true;
  }

  async #save(record) {
    const save = record.next;
    const files = record.filesOf(save);
    if (!(await this.#upload(record, files))) return;
    const knowledge = { filenames: files.map(({ name }) => name) };
    const answer =
      save === 1
        ? await this.client.ask('POST', '/bot', { id: record.id, title: 'Knowing', knowledge })
        : await this.client.ask('PATCH', `/bot/${record.id}`, { knowledge });
    this.#note(
      record,
      `save ${save}`,
      answer,
      (status) => record.saveAnswered(save, status),
      () => record.lost.push(save),
    );
  }

  saveNew = () => this.#save(this.#added());

  async saveAgain() {
    const record = this.#one();
    if (!record) return this.saveNew();
    // Files for a possibly deleted bot would be kept for a day.
    return record.isDeleted === 'no' ? this.#save(record) : this.searchIn(record);
  }

  /** Uploads for a bot that is never saved. */
  async draft() {
    const record = this.#added();
    await this.#upload(record, record.filesOf(1));
  }

  async sync() {
    const record = this.#one();
    if (!record) return this.saveNew();
    const answer = await this.client.ask('POST', `/bot/${record.id}/knowledge/sync`);
    return this.#note(record, 'sync', answer, (status) => record.useAnswered('sync', status, 202));
  }

  async search() {
    const record = this.#one();
    return record ? this.searchIn(record) : this.saveNew();
  }

  async searchIn(record) {
    const body = { query: `Which ${COMMON_WORD} sleep? ${record.canary}`, max_results: 20 };
    const answer = await this.client.ask('POST', `/bot/${record.id}/knowledge/search`, body);
    return this.#note(record, 'search', answer, (status, found) => record.searchAnswered(status, found));
  }

  async deleteWithKnowledge() {
    const record = this.#one();
    if (!record) return this.saveNew();
    const answer = await this.client.ask('DELETE', `/bot/${record.id}`);
    return this.#note(
      record,
      'delete',
      answer,
      (status) => record.deleteAnswered(status),
      () => record.deleteLost(),
    );
  }
}
