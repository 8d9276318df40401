// Compares the ledger with the effects that were found.
import { allowedEffects, problemsOfAnswers } from './command-ledger.mjs';

const SHOWN = 20;
/** The audited action of each kind of command, and which resource its entry names. */
const actions = [
  { action: 'create_bot', kinds: ['create', 'createOnce'], resourceOf: idOf },
  { action: 'configure_bot', kinds: ['change'], resourceOf: ({ botId }) => botId },
  { action: 'delete_bot', kinds: ['remove'], resourceOf: ({ botId }) => botId },
  { action: 'create_group', kinds: ['group', 'groupOnce'], resourceOf: ({ mark }) => mark },
];

/** Returns the checks that have problems. `found` is the result of `foundEffects`. */
export function judged(ledger, found) {
  const removed = new Set(
    ledger.commands.filter(({ kind, botId }) => kind === 'remove' && !found.bots.has(botId)).map(({ botId }) => botId),
  );
  const verdicts = ledger.commands.map((command) => verdictOf(command, found, removed));
  const effects = (isChecked) => verdicts.filter(isChecked).flatMap(problemsOfEffect);
  const all = {
    'what was acknowledged is there, once': effects(({ least }) => least === 1),
    'what was refused has no effect': effects(({ most }) => most === 0),
    'what has an unknown outcome is there once, or not at all': effects(({ least, most }) => least < most),
    'every answer is allowed': [...ledger.queryProblems, ...ledger.commands.flatMap(problemsOfAnswers)],
    'repeats name one resource': ledger.commands.flatMap(problemsOfRepeats),
    'every effect has a command': strangers(ledger, found),
    'every message has one reply': [...found.replies].flatMap(problemsOfReplies),
    'every effect has one audit entry': problemsOfAudit(verdicts, found.audited, removed),
  };
  return Object.entries(all)
    .filter(([, problems]) => problems.length > 0)
    .map(([name, problems]) => ({ name, count: problems.length, problems: problems.slice(0, SHOWN) }));
}

/** How many commands have an unknown outcome, and how many of them have their effect. */
export function unknownOutcomes({ commands }, { effects, bots }) {
  const unknown = commands.filter((command) => allowedEffects(command).join() === '0,1');
  return {
    unknown: unknown.length,
    effective: unknown.filter(({ kind, mark, botId }) => (kind === 'remove' ? !bots.has(botId) : effects.has(mark))).length,
  };
}

/** The number of times that the effect is there, and may be there. */
function verdictOf(command, { effects, bots }, removed) {
  const [least, most] = allowedEffects(command);
  if (command.kind === 'remove') return { command, least, most, count: bots.has(command.botId) ? 0 : 1 };
  // Changes of a removed bot, and its creation, cannot be seen. The removal has its own verdict.
  const isHidden = removed.has(command.botId ?? idOf(command));
  return { command, least: isHidden ? 0 : least, most, count: effects.get(command.mark) ?? 0 };
}

function problemsOfEffect({ command: { kind, mark, attempts }, least, most, count }) {
  if (count >= least && count <= most) return [];
  const answers = attempts.map(({ status, code }) => [status ?? 'no answer', code].filter(Boolean).join(' ')).join(', then ');
  return [`${kind} ${mark} is there ${count} times, and was answered with ${answers}`];
}

function problemsOfRepeats({ kind, mark, attempts }) {
  const ids = new Set(attempts.map(({ id }) => id).filter((id) => id !== undefined));
  return ids.size > 1 ? [`${kind} ${mark} names ${[...ids].join(' and ')}`] : [];
}

function strangers({ commands }, { effects }) {
  const known = new Set(commands.map(({ mark }) => mark));
  return [...effects.keys()].filter((mark) => !known.has(mark)).map((mark) => `nothing requested ${mark}`);
}

function problemsOfReplies([mark, statuses]) {
  return statuses.length === 1 && statuses[0] === 'completed' ? [] : [`${mark} has the replies: ${statuses.join(', ') || 'none'}`];
}

/** The entries of a resource have to be as many as the effects that it shows. A removed bot shows no other effect. */
function problemsOfAudit(verdicts, audited, removed) {
  return actions.flatMap(({ action, kinds, resourceOf }) => {
    const expected = new Map();
    for (const { command, count } of verdicts) {
      const resource = kinds.includes(command.kind) && resourceOf(command);
      if (resource) expected.set(resource, (expected.get(resource) ?? 0) + count);
    }
    const entries = audited.get(action);
    return [...expected]
      .filter(([resource]) => action === 'delete_bot' || !removed.has(resource))
      .filter(([resource, count]) => (entries.get(resource) ?? 0) !== count)
      .map(([resource, count]) => `${action} of ${resource} has ${entries.get(resource) ?? 0} entries, and ${count} effects`);
  });
}

function idOf({ attempts }) {
  return attempts.find(({ id }) => id !== undefined)?.id;
}
