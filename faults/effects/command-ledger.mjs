// Commands with the answers to each of their attempts, and the effects that these answers allow. Each command has a mark, a unique text that its effect shows.
import { createWriteStream } from 'node:fs';

/** The request cannot have arrived. Every other error leaves its outcome open. */
const NEVER_SENT = 'ECONNREFUSED';
/** The only statuses from 500 that a client may get. */
const UNAVAILABLE = 503;

/** What an answer says about the effect: `done`, `refused` (there is none), or `open` (wholly there or not at all). */
export function outcomeOf({ status, code }) {
  if (status === null) return code === NEVER_SENT ? 'refused' : 'open';
  if (status < 300 || code === 'recorded_not_visible') return 'done';
  return code === 'outcome_unknown' || (status >= 500 && status !== UNAVAILABLE) ? 'open' : 'refused';
}

export class CommandLedger {
  commands = [];
  /** Answers that no query may get, one sentence each. */
  queryProblems = [];
  /** The number of requests, queries included. */
  sent = 0;
  /** The number of answers by status and code. */
  answers = new Map();

  constructor(path) {
    this.file = createWriteStream(path);
  }

  /**
   * Adds a command before it is sent. `request` is its method, path and body; `refusals` are the statuses from 400 to 499 that it may get, `mustFail`
   * whether it gets one of these or 503; `botId` is the bot that it changes or deletes.
   */
  command(kind, mark, request, { key, botId, refusals = [], mustFail = false } = {}) {
    const command = { kind, mark, request, key, botId, refusals, mustFail, attempts: [] };
    this.commands.push(command);
    return command;
  }

  /** Records one attempt of a command. */
  note(command, answer) {
    command.attempts.push(answer);
    this.#write(command, answer);
  }

  /** Records a query. It may be refused with 503 while a service is down, but the outcome of a query is never unknown. */
  noteQuery(path, answer) {
    this.#write({ kind: 'query', request: { method: 'GET', path } }, answer);
    const { status, code } = answer;
    if (status === null || status === 200 || (status === UNAVAILABLE && outcomeOf(answer) === 'refused')) return;
    this.queryProblems.push(`GET ${path} was answered with ${status} ${code ?? ''}`);
  }

  close() {
    return new Promise((resolve) => this.file.end(resolve));
  }

  #write({ kind, mark, key, request: { method, path } }, { status, code, ...answer }) {
    this.sent++;
    const name = status !== null && status < 300 ? 'acknowledged' : `${status ?? 'no answer'} ${code ?? ''}`.trim();
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    this.file.write(`${JSON.stringify({ at: Date.now(), kind, mark, key, method, path, status, code, ...answer })}\n`);
  }
}

/** How often the effect of a command may be there, at least and at most. */
export function allowedEffects({ attempts }) {
  const outcomes = attempts.map(outcomeOf);
  if (outcomes.includes('done')) return [1, 1];
  return outcomes.includes('open') ? [0, 1] : [0, 0];
}

/** The answers that the command may not get, one sentence each. */
export function problemsOfAnswers({ kind, mark, key, refusals, mustFail, attempts }) {
  return attempts.flatMap(({ status, code, repeatWith }) => {
    const answered = `${kind} ${mark} was answered with ${status} ${code ?? ''}`;
    if (status === null) return [];
    if (status < 300) return mustFail ? [`${answered}, but has to be refused`] : [];
    if (status < 500) return refusals.includes(status) ? [] : [answered];
    if (status !== UNAVAILABLE || code === undefined) return [answered];
    return code === 'outcome_unknown' && repeatWith !== key ? [`${answered}, which names the key ${repeatWith} instead of ${key}`] : [];
  });
}
