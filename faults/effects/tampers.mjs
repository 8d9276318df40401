// Changes to the ledger and the effects of a correct run. Each has to be reported, so that every check is known to work.
import { allowedEffects } from './command-ledger.mjs';
import { judged } from './judged.mjs';

const refused = { status: 503, code: 'service_unavailable' };

/** Commands whose effects are there. */
const shown = ({ commands }, { effects }) =>
  commands.filter((command) => allowedEffects(command)[0] === 1 && effects.get(command.mark) === 1 && command.kind !== 'remove');
const withAttempts = (ledger, command, attempts) => ({
  ...ledger,
  commands: ledger.commands.map((each) => (each === command ? { ...each, attempts } : each)),
});
const withCount = (found, { mark }, count) => ({ ...found, effects: new Map(found.effects).set(mark, count) });

/** Each returns the check that has to report it, and the changed ledger and effects. It gets a command whose effect is there. */
const tampers = {
  'an acknowledged command is noted as refused': (ledger, found, command) => [
    'what was refused has no effect',
    withAttempts(ledger, command, [refused]),
    found,
  ],
  'an effect is lost': (ledger, found, command) => ['what was acknowledged is there, once', ledger, withCount(found, command, 0)],
  'an effect is there twice': (ledger, found, command) => ['what was acknowledged is there, once', ledger, withCount(found, command, 2)],
  'an effect with an unknown outcome is there twice': (ledger, found, command) => [
    'what has an unknown outcome is there once, or not at all',
    withAttempts(ledger, command, [{ status: 503, code: 'outcome_unknown' }]),
    withCount(found, command, 2),
  ],
  'a repeat names another resource': (ledger, found, command) => [
    'repeats name one resource',
    withAttempts(ledger, command, [...command.attempts, { status: 201, id: 'another' }]),
    found,
  ],
  'an answer has status 500': (ledger, found, command) => [
    'every answer is allowed',
    withAttempts(ledger, command, [{ status: 500, code: 'internal_error' }, ...command.attempts]),
    found,
  ],
  'a command is missing': (ledger, found, command) => [
    'every effect has a command',
    { ...ledger, commands: ledger.commands.filter((each) => each !== command) },
    found,
  ],
  'a reply is missing': (ledger, found) => {
    const [message] = found.replies.keys();
    return ['every message has one reply', ledger, { ...found, replies: new Map(found.replies).set(message, []) }];
  },
  'a second reply is there': (ledger, found) => {
    const [message] = found.replies.keys();
    return ['every message has one reply', ledger, { ...found, replies: new Map(found.replies).set(message, ['completed', 'completed']) }];
  },
  'an audit entry is there twice': (ledger, found) => {
    const [[action, counts]] = found.audited;
    const [id] = found.bots;
    return [
      'every effect has one audit entry',
      ledger,
      { ...found, audited: new Map(found.audited).set(action, new Map(counts).set(id, 2)) },
    ];
  },
};

/** Returns the changes that their check has not reported, as one violation, or an empty list. */
export function unnoticed(ledger, found, chance) {
  const problems = [];
  for (const [name, tamper] of Object.entries(tampers)) {
    const [check, ...changed] = tamper(ledger, found, chance.pick(shown(ledger, found)));
    if (!judged(...changed).some((violation) => violation.name === check)) problems.push(`“${check}” does not report that ${name}`);
  }
  return problems.length === 0 ? [] : [{ name: 'every check works', count: problems.length, problems }];
}
