// The possible knowledge of a bot, derived from requests and answers. Each save names two new files, so that search results reveal an index
// that is incomplete or mixes two saves.

/** A word in the files of all bots, so that each search could find the chunks of each bot. */
export const COMMON_WORD = 'parrots';

export class KnowledgeRecord {
  /** The numbers of saves that were answered, and of those without an answer. */
  accepted = [];
  lost = [];
  /** The newest save that a search has found. */
  served = 0;
  /** Files that were sent. */
  sent = 0;
  isDeleted = 'no';

  constructor(id, owner) {
    Object.assign(this, { id, owner });
  }

  /** A word that only this bot's files contain. */
  get canary() {
    return `canary${this.id.toLowerCase()}`;
  }

  filesOf(save) {
    return ['a', 'b'].map((part) => ({
      name: `${part}-${save}.txt`,
      text: `${this.canary} save${save} part${part}: all ${COMMON_WORD} of this bot sleep at noon.`,
    }));
  }

  get newest() {
    return this.accepted.at(-1) ?? 0;
  }

  /** The number of the next save. */
  get next() {
    return Math.max(0, ...this.accepted, ...this.lost) + 1;
  }

  saveAnswered(save, status) {
    if (status === (save === 1 ? 201 : 200)) {
      this.accepted.push(save);
      // This is also true of a save with the same number whose answer was lost.
      if (this.isDeleted === 'yes') return `${this.#name}: save ${save} was accepted after the bot was deleted`;
      this.isDeleted = 'no';
      return undefined;
    }
    const isGone = status === 404 || (status === 409 && save === 1);
    if (isGone && this.isDeleted !== 'no') return undefined;
    // The earlier creation may have had no effect.
    if (status === 404 && this.newest === 0) return undefined;
    return `${this.#name}: save ${save} answered ${status}, deleted: ${this.isDeleted}`;
  }

  deleteAnswered(status) {
    const fits = status === 204 ? this.isDeleted !== 'yes' : status === 404 && (this.isDeleted !== 'no' || this.newest === 0);
    if (status === 204 || this.newest > 0) this.isDeleted = 'yes';
    return fits ? undefined : `${this.#name}: the deletion answered ${status}, deleted: ${this.isDeleted}`;
  }

  deleteLost() {
    if (this.isDeleted === 'no') this.isDeleted = 'maybe';
  }

  /** Judges requests that change nothing, and syncs. */
  useAnswered(type, status, good) {
    if (status === good && this.isDeleted !== 'yes') return undefined;
    if (status === 404 && (this.isDeleted !== 'no' || this.newest === 0)) return undefined;
    return `${this.#name}: ${type} answered ${status}, deleted: ${this.isDeleted}`;
  }

  searchAnswered(status, body) {
    if (status !== 200) return this.useAnswered('search', status, 200);
    const texts = body.results.map(({ content }) => content);
    const foreign = texts.find((text) => !text.startsWith(`${this.canary} `));
    if (foreign) return `${this.#name}: a search found the chunk of another bot: “${foreign}”`;
    const saves = [...new Set(texts.map((text) => Number(/ save(\d+) /.exec(text)[1])))];
    if (saves.length === 0)
      return this.served === 0 ? undefined : `${this.#name}: a search found nothing, though save ${this.served} was in service`;
    const [save] = saves;
    const parts = texts
      .map((text) => / part(\w):/.exec(text)[1])
      .toSorted()
      .join('');
    if (saves.length > 1 || parts !== 'ab') return `${this.#name}: a search found parts ${parts} of the saves ${saves.join(' and ')}`;
    if (save < this.served) return `${this.#name}: a search found save ${save} after save ${this.served}`;
    if (![...this.accepted, ...this.lost].includes(save)) return `${this.#name}: a search found save ${save}, which was refused`;
    this.served = save;
    return undefined;
  }

  /** The problem of the newest run, when no work is left. */
  runAnswered(status, body) {
    if (status !== 200) return this.useAnswered('run', status, 200);
    if (body.sync_status !== 'SUCCEEDED') return `${this.#name}: the run is ${body.sync_status}: ${body.reason}`;
    return body.chunks_in_service === 2 ? undefined : `${this.#name}: ${body.chunks_in_service} chunks are in service`;
  }

  /** Compares the saves with the log. Without an answer, a save has its whole effect or none. */
  problems(evidence) {
    const events = evidence.stream('bots', `bot-${this.id}`).flatMap((commit) => commit.events.map(({ event }) => event));
    const saves = events.filter(({ configuration, changes }) => (configuration ?? changes)?.knowledge !== undefined).length;
    const isGone = events.some(({ type }) => type === 'BotDeleted');
    const problems = [];
    if (saves < new Set(this.accepted).size || saves > this.accepted.length + this.lost.length)
      problems.push(
        `${this.#name}: ${saves} saves are in the log, ${this.accepted.length} were accepted and ${this.lost.length} not answered`,
      );
    if ((isGone && this.isDeleted === 'no') || (!isGone && this.isDeleted === 'yes'))
      problems.push(`${this.#name}: it is ${isGone ? '' : 'not '}deleted in the log, deleted: ${this.isDeleted}`);
    return problems;
  }

  get #name() {
    return `knowledge of bot ${this.id}`;
  }
}
